//! A picture's outlines, letters included, as a PDF of one page.

use super::canvas::Colour;
use super::marks::Point;
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::fmt::Write;

/// Appends a closed outline.
pub(super) fn outline(open: &mut String, points: &[Point]) {
    for (i, (x, y)) in points.iter().enumerate() {
        // Writing to a `String` does not fail.
        let _ = write!(open, "{x:.2} {y:.2} {} ", if i == 0 { 'm' } else { 'l' });
    }
    open.push_str("h\n");
}

/// Fills the open outlines. A hole runs the other way round, as PDF has it.
pub(super) fn fill([page, open]: &mut [String; 2], colour: Colour) {
    let [r, g, b] = colour.map(|part| f64::from(part) / 255.0);
    if !open.is_empty() {
        let _ = writeln!(page, "{r:.3} {g:.3} {b:.3} rg\n{open}f");
        open.clear();
    }
}

/// Returns the file: a page of `size` points, whose outlines are in pixels of which a point has `scale`.
pub(super) fn file(title: &str, size: Point, scale: f64, page: &str) -> Vec<u8> {
    let content = format!("{0} 0 0 -{0} 0 {1} cm\n{page}", 1.0 / scale, size.1);
    let content = compress_to_vec_zlib(content.as_bytes(), 6);
    let title: String = title.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    let (width, height) = size;
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Resources << >> /Contents 4 0 R >>")
            .into(),
        [
            format!("<< /Length {} /Filter /FlateDecode >>\nstream\n", content.len()).as_bytes(),
            &content,
            b"\nendstream",
        ]
        .concat(),
        format!("<< /Title <FEFF{title}> >>").into(),
    ];
    let (mut file, mut table) = (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec(), String::from("0000000000 65535 f \n"));
    for (i, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        file.extend([format!("{} 0 obj\n", i + 1).as_bytes(), object, b"\nendobj\n"].concat());
    }
    let (start, count) = (file.len(), objects.len() + 1);
    let end = format!("trailer\n<< /Size {count} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{start}\n%%EOF\n");
    file.extend(format!("xref\n0 {count}\n{table}{end}").into_bytes());
    file
}

#[cfg(test)]
mod tests {
    use super::super::marks::Anchor;
    use super::super::png::Raster;
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    fn find(file: &[u8], words: &str) -> usize {
        file.windows(words.len()).position(|part| part == words.as_bytes()).unwrap()
    }

    /// The table leads to every object, and the page has each part with its colour and its place.
    #[test]
    fn the_page_has_every_part() {
        let mut raster = Raster::new(60.0, 40.0, "#ffffff").unwrap();
        raster.polygon(&[(10.0, 5.0), (20.0, 5.0), (20.0, 30.0)], "#0072b2");
        raster.text((5.0, 30.0), Anchor::Start, (1.0, 0.0), ("#222222", 11.0), "0");
        let file = raster.pdf("σ");
        let start = find(&file, "xref\n");
        assert!(file.starts_with(b"%PDF-1.4\n") && file.ends_with(format!("startxref\n{start}\n%%EOF\n").as_bytes()));
        for i in 1..=5 {
            let row = start + "xref\n0 6\n".len() + 20 * i;
            let at: usize = String::from_utf8(file[row..row + 10].to_vec()).unwrap().parse().unwrap();
            assert!(file[at..].starts_with(format!("{i} 0 obj\n").as_bytes()), "{i}");
        }
        find(&file, "/MediaBox [0 0 60 40]");
        find(&file, "/Title <FEFF03C3>");
        let from = find(&file, "stream\n") + "stream\n".len();
        let content = decompress_to_vec_zlib(&file[from..find(&file, "\nendstream")]).unwrap();
        let content = String::from_utf8(content).unwrap();
        let square = "0.000 0.447 0.698 rg\n20.00 10.00 m 40.00 10.00 l 40.00 60.00 l h\nf\n0.133 0.133 0.133 rg\n";
        let rest = content.strip_prefix("0.5 0 0 -0.5 0 40 cm\n").and_then(|rest| rest.strip_prefix(square)).unwrap();
        assert_eq!(rest.matches("h\n").count(), 2, "a 0 has an outside and an inside: {rest}");
        assert!(rest.ends_with("h\nf\n"));
    }
}
