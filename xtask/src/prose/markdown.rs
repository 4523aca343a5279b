//! The pieces of a Markdown text that are judged: without code, HTML, comments and the targets of links.

use super::text::{CODE, Piece};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The pieces of a text whose first line has this number.
pub(crate) fn pieces(markdown: &str, first: usize) -> Vec<Piece> {
    let starts: Vec<usize> = std::iter::once(0).chain(markdown.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut found = vec![Piece::default()];
    // In a block of code or HTML.
    let mut silent = false;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    for (event, place) in Parser::new_ext(markdown, options).into_offset_iter() {
        let text = match event {
            Event::Start(tag) if !is_inline(tag.to_end()) => {
                silent |= matches!(tag, Tag::CodeBlock(_) | Tag::HtmlBlock);
                found.push(Piece::default());
                continue;
            }
            Event::End(tag) if !is_inline(tag) => {
                silent &= !matches!(tag, TagEnd::CodeBlock | TagEnd::HtmlBlock);
                found.push(Piece::default());
                continue;
            }
            Event::Text(text) => text,
            Event::Code(_) => CODE.to_string().into(),
            Event::SoftBreak | Event::HardBreak => " ".into(),
            _ => continue,
        };
        let line = first + starts.partition_point(|start| *start <= place.start) - 1;
        found.last_mut().filter(|_| !silent).into_iter().for_each(|piece| piece.push(&text, line));
    }
    found.retain(|piece| !piece.text.is_empty());
    found
}

const fn is_inline(tag: TagEnd) -> bool {
    matches!(tag, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_pieces_of_their_own() {
        let text = "# A\n\none *two*\nthree\n- four\n- five `x`\n\n| six |\n|---|\n| seven |\n";
        let found: Vec<_> = pieces(text, 1).iter().map(|piece| (piece.text.clone(), piece.line(0))).collect();
        let expected = [("A", 1), ("one two three", 3), ("four", 5), ("five \u{fffc}", 6), ("six", 8), ("seven", 10)];
        assert_eq!(found, expected.map(|(text, line)| (text.to_owned(), line)));
    }
}
