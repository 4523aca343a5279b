//! The picture as PNG: the SVG, rendered with a font of our own.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Pixels for each unit of the SVG: sharp on today's screens.
const SCALE: f32 = 2.0;

/// Renders an SVG of ours. Fonts of the system are never read, so every machine gives the same
/// picture.
pub fn render(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = Options { font_family: "DejaVu Sans".to_string(), ..Options::default() };
    options.fontdb_mut().load_font_data(dejavu::sans::regular().to_vec());
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let (width, height) = (tree.size().width() * SCALE, tree.size().height() * SCALE);
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or("the picture has no size")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text leaves ink: the embedded font is found under its name.
    #[test]
    fn text_is_rendered() {
        let svg = |text: &str| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"40\" font-family=\"DejaVu Sans\"><text y=\"30\">{text}</text></svg>"
            )
        };
        let (blank, written) = (render(&svg("")).unwrap(), render(&svg("σ = 16/5 ±2")).unwrap());
        assert!(blank.starts_with(b"\x89PNG"));
        assert!(written.len() > blank.len() + 200, "{} and {} bytes", written.len(), blank.len());
    }

    /// The colours for dark screens are none of a PNG.
    #[test]
    fn paper_stays_white() {
        let svg = |style: &str| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\">{style}<rect width=\"10\" height=\"10\" fill=\"#ffffff\"/></svg>"
            )
        };
        let white = render(&svg("")).unwrap();
        assert_eq!(render(&svg(&crate::draw::dark())).unwrap(), white);
        assert_ne!(render(&svg("<style>[fill=\"#ffffff\"]{fill:#16181c}</style>")).unwrap(), white);
    }
}
