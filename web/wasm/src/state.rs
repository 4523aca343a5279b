//! What an instance of a module has: an input that JavaScript writes, an answer that it reads, and what is held between calls.

use crate::spelling::Failure;
use zeroize::Zeroize;

pub(crate) const OK: u32 = 0;
pub(crate) const FAILED: u32 = 1;

#[derive(Default)]
pub(crate) struct State<H> {
    input: Input,
    pub(crate) answer: String,
    pub(crate) held: H,
}

/// Bytes in words, for integers of all widths to be aligned.
#[derive(Default)]
pub(crate) struct Input {
    words: Vec<u64>,
    len: usize,
}

impl Input {
    pub(crate) fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.len]
    }

    /// The first so many integers.
    pub(crate) fn taken<T: bytemuck::Pod>(&self, len: usize) -> Result<&[T], Failure> {
        Ok(bytemuck::cast_slice(&self.words).get(..len).ok_or("the input is shorter than it is said to be")?)
    }

    fn wipe(&mut self) {
        self.words.zeroize();
        self.len = 0;
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl<H> State<H> {
    /// A place for an input of `len` bytes. What is there stays if it has as many words, and is wiped otherwise.
    pub(crate) fn input(&mut self, len: usize) -> &mut [u64] {
        let words = len.div_ceil(size_of::<u64>());
        if words != self.input.words.len() {
            self.input.wipe();
            self.input.words.resize(words, 0);
        }
        self.input.len = len;
        &mut self.input.words
    }

    /// Puts these words in place of the input, and returns how many they are.
    pub(crate) fn put(&mut self, words: Vec<u64>) -> usize {
        self.input = Input { len: words.len() * size_of::<u64>(), words };
        self.input.words.len()
    }

    /// Runs `work`. Keeps its answer, or the message of its failure.
    pub(crate) fn run(&mut self, work: impl FnOnce(&mut Input, &mut H) -> Result<String, Failure>) -> u32 {
        let result = work(&mut self.input, &mut self.held);
        let status = if result.is_ok() { OK } else { FAILED };
        self.answer = result.unwrap_or_else(|failure| failure.answer());
        status
    }

    /// As [`run`](Self::run), and wipes the input, which may have secrets.
    pub(crate) fn run_once(&mut self, work: impl FnOnce(&[u8], &mut H) -> Result<String, Failure>) -> u32 {
        self.run(|input, held| {
            let result = work(input.bytes(), held);
            input.wipe();
            result
        })
    }
}

/// The state of a module, and the exports of its input and answer.
macro_rules! state {
    ($held:ty) => {
        thread_local! {
            static STATE: std::cell::RefCell<crate::state::State<$held>> = std::cell::RefCell::default();
        }

        /// Returns a place for an input of `len` bytes.
        #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
        pub extern "C" fn input(len: usize) -> *mut u64 {
            STATE.with_borrow_mut(|state| state.input(len).as_mut_ptr())
        }

        /// Returns the place of the last call's answer.
        #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
        pub extern "C" fn answer_ptr() -> *const u8 {
            STATE.with_borrow(|state| state.answer.as_ptr())
        }

        /// Returns the answer's length, in bytes of UTF-8.
        #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
        pub extern "C" fn answer_len() -> usize {
            STATE.with_borrow(|state| state.answer.len())
        }

        /// Writes an input, as JavaScript does.
        #[cfg(test)]
        fn give(bytes: &[u8]) {
            STATE.with_borrow_mut(|state| {
                let words = bytemuck::cast_slice_mut(state.input(bytes.len()));
                words[..bytes.len()].copy_from_slice(bytes);
            });
        }

        /// The answer of a call, or the message of its failure.
        #[cfg(test)]
        fn said(call: impl FnOnce() -> u32) -> Result<String, String> {
            let status = call();
            let answer = STATE.with_borrow(|state| state.answer.clone());
            if status == crate::state::OK { Ok(answer) } else { Err(answer.split_once('\t').unwrap().1.into()) }
        }
    };
}
pub(crate) use state;
