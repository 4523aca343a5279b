//! Entropy for a reseeding.

use zeroize::Zeroizing;

/// Bytes that are asked for at once.
const PIECE: usize = 64;

/// Entropy that is there, or that comes in pieces, so that no length of it needs a buffer.
pub enum Entropy<'a, E> {
    /// All of it.
    Given(&'a [u8]),
    /// So many bytes, from a function that fills a piece.
    Drawn(usize, &'a mut dyn FnMut(&mut [u8]) -> Result<(), E>),
}

impl<E> Entropy<'_, E> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Entropy::Given(bytes) => bytes.len(),
            Entropy::Drawn(length, _) => *length,
        }
    }

    /// Every piece, in order.
    pub(crate) fn each(self, mut take: impl FnMut(&[u8])) -> Result<(), E> {
        match self {
            Entropy::Given(bytes) => take(bytes),
            Entropy::Drawn(length, draw) => {
                let mut piece = Zeroizing::new([0; PIECE]);
                for start in (0..length).step_by(PIECE) {
                    let piece = &mut piece[..PIECE.min(length - start)];
                    draw(piece)?;
                    take(piece);
                }
            }
        }
        Ok(())
    }
}
