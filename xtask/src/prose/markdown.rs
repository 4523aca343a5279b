//! The pieces of a Markdown text that are judged: without code, HTML, comments and the targets of links.

use super::text::{CODE, Kind, Piece};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The pieces of a text whose first line has this number.
pub(crate) fn pieces(markdown: &str, first: usize) -> Vec<Piece> {
    let starts: Vec<usize> = std::iter::once(0).chain(markdown.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut reader = Reader { found: Vec::new(), open: None, fragment: false, silent: false };
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    for (event, place) in Parser::new_ext(markdown, options).into_offset_iter() {
        let line = first + starts.partition_point(|start| *start <= place.start) - 1;
        reader.step(event, line);
    }
    reader.close();
    reader.found
}

struct Reader {
    found: Vec<Piece>,
    open: Option<Piece>,
    /// In a heading or in a table.
    fragment: bool,
    /// In a block of code or HTML.
    silent: bool,
}

impl Reader {
    fn step(&mut self, event: Event<'_>, line: usize) {
        match event {
            Event::Start(tag) if !is_inline(tag.to_end()) => {
                self.close();
                self.fragment |= matches!(tag, Tag::Heading { .. } | Tag::Table(_));
                self.silent |= matches!(tag, Tag::CodeBlock(_) | Tag::HtmlBlock);
            }
            Event::End(tag) if !is_inline(tag) => {
                self.close();
                self.fragment &= !matches!(tag, TagEnd::Heading(_) | TagEnd::Table);
                self.silent &= !matches!(tag, TagEnd::CodeBlock | TagEnd::HtmlBlock);
            }
            Event::Text(text) => self.push(&text, line),
            Event::Code(_) => self.push(CODE.encode_utf8(&mut [0; 4]), line),
            Event::SoftBreak | Event::HardBreak => self.push(" ", line),
            _ => {}
        }
    }

    fn push(&mut self, text: &str, line: usize) {
        if !self.silent {
            let kind = if self.fragment { Kind::Fragment } else { Kind::Paragraph };
            self.open.get_or_insert_with(|| Piece::new(kind)).push(text, line);
        }
    }

    /// A paragraph of rows is a table without a head, as the samplers' module docs have it.
    fn close(&mut self) {
        self.found.extend(self.open.take().map(|mut piece| {
            if piece.text.starts_with('|') {
                piece.kind = Kind::Fragment;
            }
            piece
        }));
    }
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
        let found: Vec<_> = pieces(text, 1).iter().map(|p| (p.text.clone(), p.line(0), p.kind)).collect();
        let expected = [
            ("A", 1, Kind::Fragment),
            ("one two three", 3, Kind::Paragraph),
            ("four", 5, Kind::Paragraph),
            ("five \u{fffc}", 6, Kind::Paragraph),
            ("six", 8, Kind::Fragment),
            ("seven", 10, Kind::Fragment),
        ];
        assert_eq!(found, expected.map(|(text, line, kind)| (text.to_owned(), line, kind)));
    }
}
