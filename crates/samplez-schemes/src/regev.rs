//! Regev's encryption of many letters at once, from learning with errors.
//!
//! Papers: \[Reg05\], and \[MR09\], for many letters and the sets. It withstands chosen plaintexts alone, and **fails**: each
//! letter is decrypted wrongly with [probability](Parameters::letter_error) about 1 % in the published sets, silently. Correct errors above it, or take
//! [parameters for a rate of your own](Parameters::for_letter_error).
//!
//! | | |
//! |---|---|
//! | Law | of the error of a letter: exact, by [`Parameters::letter_error`] |
//! | Noise | D_{Z,σ}, σ = αq/sqrt(2π): m·l samples for a key, none for a ciphertext |
//! | Memory | m(n + l) words of 16 bits for a public key, 5 MB in the largest set; n·l for a secret one |
//! | Timing | of encryption and decryption: nothing is claimed, nothing was measured. Products and reductions have no branch and no address that depends on secrets; letters are decoded by a division; the noise's timing is the sampler's |
//! | Parameters | [`Set`], or [`Parameters`] of your own: n, l <= 1024, q an odd prime below 2^15 |
//!
//! ```text
//! key       A ← uniform m×n; S ← uniform n×l; E ← D^(m×l); B ← A·S + E; public: A, B; secret: S
//! encrypt   a ← uniform in {-r, …, r}^m; u ← Aᵗa; c ← Bᵗa + f(letters)       f(x) = ⌊xq/t⌉
//! decrypt   letters ← f⁻¹(c - Sᵗu)                                           f⁻¹(v) = ⌊vt/q⌉ mod t
//! ```
//!
//! A letter modulo t carries ⌊lg t⌋ bits. A message is cut into blocks of l letters. The last is filled up with zeros,
//! and its length, which is public, is written before them.
//!
//! The speed is limited by multiplications. A key takes m·n·l of them, 330 million in the largest set, in vectors of
//! 16-bit words. They take most of its time, more than memory or noise. Noise from a table with an index table takes
//! about a tenth of the time. A block of a ciphertext multiplies each entry of A and B once, by a small number.
//!
//! Departures: letters of a t that is no power of two are not all used. A is sent in full, as in the paper; a seed for it would halve
//! the key. ⌊·⌉ rounds halves up. Encodings are ours: nobody has published any.
//!
//! Research and teaching only: today's estimates give the six published sets about 2^65. In production use ML-KEM.

mod bytes;
mod key;
mod parameters;
mod product;
mod set;

pub use key::{PublicKey, SecretKey, generate};
pub use parameters::{Parameters, Shape};
pub use set::Set;
