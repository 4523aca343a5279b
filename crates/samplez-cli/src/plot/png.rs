//! The picture as PNG.

use super::canvas::{Canvas, Colour};
use super::lettering::{Font, TO_THE_RIGHT, UPWARDS};
use super::marks::{Anchor, HEIGHT, Mark, Picture, Point, WIDTH};
use crate::draw::PAPER;
use miniz_oxide::deflate::compress_to_vec_zlib;

/// Pixels for each unit of the picture: sharp on today's screens.
const SCALE: f64 = 2.0;

pub(crate) fn draw(picture: &Picture) -> Result<Vec<u8>, String> {
    let mut raster = Raster::new(WIDTH, HEIGHT, PAPER)?;
    for mark in &picture.marks {
        match mark {
            Mark::Rect { corner, size, fill, crisp } => {
                let (mut from, mut to) = (scaled(corner), scaled(&(corner.0 + size.0, corner.1 + size.1)));
                if *crisp {
                    (from, to) = ((from.0.round(), from.1.round()), (to.0.round(), to.1.round()));
                }
                raster.canvas.outline(&[from, (to.0, from.1), to, (from.0, to.1)]);
                raster.canvas.fill(colour(fill));
            }
            Mark::Disc { middle, radius, fill } => raster.disc(*middle, *radius, fill),
            Mark::Line { points, stroke, width } => raster.line(points, stroke, *width),
            Mark::Text { at, anchor, fill, size, upright, text } => {
                let along = if *upright { UPWARDS } else { TO_THE_RIGHT };
                raster.text(*at, *anchor, along, (fill, *size), text);
            }
        }
    }
    Ok(raster.file())
}

const fn scaled((x, y): &Point) -> Point {
    (*x * SCALE, *y * SCALE)
}

/// A picture that becomes a file. Colours are `#rrggbb`.
pub struct Raster {
    canvas: Canvas,
    font: Font,
    size: Point,
}

impl Raster {
    /// Begins a picture of one colour.
    ///
    /// # Errors
    ///
    /// If the font cannot be read.
    pub fn new(width: f64, height: f64, paper: &str) -> Result<Raster, String> {
        let size = ((width * SCALE).ceil(), (height * SCALE).ceil());
        let canvas = Canvas::new(size.0 as usize, size.1 as usize, colour(paper));
        Ok(Raster { canvas, font: Font::new()?, size })
    }

    /// Fills a polygon.
    pub fn polygon(&mut self, points: &[Point], fill: &str) {
        self.canvas.outline(&points.iter().map(scaled).collect::<Vec<_>>());
        self.canvas.fill(colour(fill));
    }

    /// Fills a disc.
    pub fn disc(&mut self, middle: Point, radius: f64, fill: &str) {
        self.canvas.disc(scaled(&middle), radius * SCALE);
        self.canvas.fill(colour(fill));
    }

    /// Draws a line through these points.
    pub fn line(&mut self, points: &[Point], stroke: &str, width: f64) {
        for (i, point) in points.iter().enumerate().skip(1) {
            self.canvas.line(scaled(&points[i - 1]), scaled(point), width * SCALE);
            if i + 1 < points.len() {
                self.canvas.disc(scaled(point), width * SCALE / 2.0);
            }
        }
        self.canvas.fill(colour(stroke));
    }

    /// Writes a text in the direction `along`, of length 1, with its colour and its size.
    pub fn text(&mut self, at: Point, anchor: Anchor, along: Point, (fill, size): (&str, f64), text: &str) {
        self.font.outline(&mut self.canvas, text, scaled(&at), size * SCALE, anchor, along);
        self.canvas.fill(colour(fill));
    }

    /// Returns the PNG.
    pub fn file(&self) -> Vec<u8> {
        encode(&self.canvas, self.size.0, self.size.1)
    }

    /// Returns the PDF, which needs no font.
    #[cfg(feature = "testing")]
    pub fn pdf(&self, title: &str) -> Vec<u8> {
        let size = (self.size.0 / SCALE, self.size.1 / SCALE);
        super::pdf::file(title, size, SCALE, self.canvas.page())
    }
}

/// `#rrggbb`.
fn colour(name: &str) -> Colour {
    [1, 3, 5].map(|i| name.get(i..i + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).unwrap_or(0))
}

/// The file: a header, the pixels as differences from the row above, and the end.
fn encode(canvas: &Canvas, width: f64, height: f64) -> Vec<u8> {
    const EIGHT_BITS_RGB: [u8; 5] = [8, 2, 0, 0, 0];
    const FROM_ABOVE: u8 = 2;
    let mut header = [(width as u32).to_be_bytes(), (height as u32).to_be_bytes()].concat();
    header.extend(EIGHT_BITS_RGB);
    let mut differences = Vec::new();
    let first = vec![0; 3 * width as usize];
    let mut above = first.as_slice();
    for row in canvas.rows() {
        differences.push(FROM_ABOVE);
        differences.extend(row.iter().zip(above).map(|(here, above)| here.wrapping_sub(*above)));
        above = row;
    }
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", header), (b"IDAT", compress_to_vec_zlib(&differences, 6)), (b"IEND", Vec::new())] {
        file.extend((data.len() as u32).to_be_bytes());
        let checked = file.len();
        file.extend(kind);
        file.extend(data);
        file.extend(crc(&file[checked..]).to_be_bytes());
    }
    file
}

/// PNG's checksum, CRC-32.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    /// The pixels of a file of ours, row by row, red, green and blue.
    fn pixels(file: &[u8]) -> Vec<Vec<u8>> {
        let mut data = Vec::new();
        let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap();
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let (chunk, after) = after.split_at(4 + u32::from_be_bytes(*length) as usize);
            let (sum, after) = after.split_first_chunk::<4>().unwrap();
            assert_eq!(crc(chunk).to_be_bytes(), *sum);
            if let Some(part) = chunk.strip_prefix(b"IDAT") {
                data.extend(part);
            }
            rest = after;
        }
        assert_eq!(file[file.len() - 12..], *b"\0\0\0\0IEND\xae\x42\x60\x82");
        let mut rows: Vec<Vec<u8>> = Vec::new();
        for line in decompress_to_vec_zlib(&data).unwrap().chunks(1 + 3 * 1920) {
            let above = rows.last().cloned().unwrap_or(vec![0; 3 * 1920]);
            assert_eq!(line[0], 2);
            rows.push(line[1..].iter().zip(above).map(|(d, above)| d.wrapping_add(above)).collect());
        }
        assert_eq!(rows.len(), 1280);
        rows
    }

    #[test]
    fn marks_have_their_place_and_colour() {
        let rect = Mark::Rect { corner: (100.0, 50.0), size: (7.5, 3.0), fill: "#8dcbf0", crisp: true };
        let disc = Mark::Disc { middle: (500.0, 300.0), radius: 40.0, fill: "#d55e00" };
        let points = vec![(10.0, 400.0), (100.0, 400.0), (100.0, 600.0)];
        let line = Mark::Line { points, stroke: "#0072b2", width: 2.0 };
        let rows = pixels(&draw(&Picture { title: String::new(), marks: vec![rect, disc, line] }).unwrap());
        let at = |x: usize, y: usize| <[u8; 3]>::try_from(&rows[y][3 * x..3 * x + 3]).unwrap();
        for (x, y) in [(200, 100), (214, 105)] {
            assert_eq!(at(x, y), [0x8d, 0xcb, 0xf0]);
        }
        for (x, y) in [(199, 100), (215, 105), (200, 99), (214, 106), (1000, 680), (90, 802), (197, 1000)] {
            assert_eq!(at(x, y), [255; 3], "{x}, {y}");
        }
        assert_eq!((at(1000, 522), at(1078, 600)), ([0xd5, 0x5e, 0], [0xd5, 0x5e, 0]));
        for (x, y) in [(20, 799), (150, 800), (200, 800), (199, 1000)] {
            assert_eq!(at(x, y), [0, 0x72, 0xb2], "{x}, {y}");
        }
    }
}
