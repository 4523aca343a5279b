//! C programs against the header and the static library, with the sanitizers of the C compiler.

use samplez::{
    Recipe, RefusedKind,
    bindings::{WORDS, Word},
};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// The static library that this test run built.
fn library() -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    let library = exe.ancestors().map(|folder| folder.join("libsamplez_c.a")).find(|path| path.exists());
    library.expect("libsamplez_c.a beside the test")
}

/// Compiles tests/NAME.c.
fn compile(name: &str, flags: &[&str]) -> PathBuf {
    compile_file(Path::new(&format!("{HERE}/tests/{name}.c")), flags)
}

/// Compiles a file as C99 with all warnings as errors.
fn compile_file(source: &Path, flags: &[&str]) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(source.file_stem().unwrap());
    let compiled = Command::new(std::env::var_os("CC").unwrap_or("cc".into()))
        .args(["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-g"])
        .args(flags)
        .arg(format!("-I{HERE}/include"))
        .arg(source)
        .arg(library())
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(&program)
        .output()
        .expect("a C compiler: install gcc or clang (Debian, Ubuntu: apt install gcc)");
    assert!(compiled.status.success(), "{}", text(&compiled));
    program
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_c_program_gets_what_the_header_says() {
    let program = compile("api", &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    let run = Command::new(program).output().unwrap();
    assert!(run.status.success(), "the check in line {:?} (mod 256) of api.c\n{}", run.status.code(), text(&run));
}

#[test]
fn tables_and_other_laws_have_their_distributions() {
    let program = compile("laws", &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    let run = Command::new(program).output().unwrap();
    assert!(run.status.success(), "the check in line {:?} of laws.c\n{}", run.status.code(), text(&run));
}

#[test]
fn each_sample_has_its_own_center() {
    let program = compile("each", &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    let run = Command::new(program).output().unwrap();
    assert!(run.status.success(), "the check in line {:?} of each.c\n{}", run.status.code(), text(&run));
}

/// A stream gives a forked process nothing of its parent's.
#[cfg(unix)]
#[test]
fn a_fork_repeats_nothing() {
    let program = compile("fork", &["-D_POSIX_C_SOURCE=200809L"]);
    let run = Command::new(program).output().unwrap();
    assert!(run.status.success(), "the check in line {:?} (mod 256) of fork.c\n{}", run.status.code(), text(&run));
}

/// Rows of bad_inputs.c: for each word of other libraries a recipe, and the end of the message, which leads to a name of the same quantity.
fn words() -> String {
    let row = |word: &Word, spelling: &str| {
        let way = match word.same.iter().find(|(same, _)| Recipe::names().any(|name| name == *same)) {
            Some((same, what)) => format!("; write {same} for {what}"),
            None if word.otherwise.is_empty() => ": expected one of sigma, ".into(),
            None => format!("; {}", word.otherwise),
        };
        format!("{{\"sigma=3,{spelling}=1\", \"{way}\"}},\n")
    };
    let is_other = |spelling: &&&str| {
        !Recipe::names().any(|name| name == **spelling)
            && format!("{spelling}=1").parse::<Recipe>().is_err_and(|refused| refused.kind() == RefusedKind::Unknown)
    };
    WORDS.iter().flat_map(|word| word.words.iter().filter(is_other).map(move |spelling| row(word, spelling))).collect()
}

/// Every row of the table, and that there are as many as it seems.
#[test]
fn bad_inputs_get_the_answers_of_the_table() {
    let written = env!("CARGO_TARGET_TMPDIR");
    std::fs::write(Path::new(written).join("words.inc"), words()).unwrap();
    let include = format!("-I{written}");
    let program = compile("bad_inputs", &["-fsanitize=address,undefined", "-fno-sanitize-recover=all", &include]);
    let run = Command::new(program).output().unwrap();
    assert!(run.status.success(), "{}", text(&run));
    let rows: usize = text(&run).trim().parse().expect("how many rows there are");
    assert!(rows >= 2100, "{rows}");
}

/// Each function of the header that takes a stream, over each fault of a callback.
#[test]
fn every_draw_over_a_broken_source() {
    let program = compile("sources", &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    let run = Command::new(program).output().unwrap();
    assert!(run.status.success(), "{}", text(&run));
    let header = include_str!("../include/samplez.h");
    let taking = header.split(';').filter_map(|part| {
        let (_, declared) = part.rsplit_once("enum samplez_status ")?;
        declared.contains("struct samplez_stream *stream").then(|| declared.split('(').next().unwrap())
    });
    let (mut taking, drawn) = (taking.collect::<Vec<_>>(), text(&run));
    let mut drawn: Vec<&str> = drawn.lines().collect();
    taking.sort();
    drawn.sort();
    assert_eq!(drawn, taking);
}

/// Draws the first samples from address `first` on, and compares them with `head`.
fn draws(program: &Path, recipe: &str, source: &str, seed: &str, first: &str, head: &str) {
    let head: Vec<&str> = head.split(' ').collect();
    let run = Command::new(program).args([recipe, source, seed, first, &head.len().to_string()]).output().unwrap();
    assert!(run.status.success(), "{recipe}: {}", text(&run));
    let drawn = String::from_utf8(run.stdout).unwrap();
    assert_eq!(drawn.lines().collect::<Vec<_>>(), head, "{recipe}, {source}, {seed}, {first}");
}

#[test]
fn c_draws_the_shared_vectors() {
    let program = compile("vectors", &["-O1"]);
    let vectors = include_str!("../../kat/streams.csv");
    for line in vectors.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [form, width, center, method, precision, source, seed, first, _, _, head] = fields[..] else {
            panic!("11 fields: {line}");
        };
        let mut recipe = format!("{}={width},center={center},method={method}", form.replace('-', "_"));
        if precision != "0" {
            recipe += &format!(",precision={precision}");
        }
        draws(&program, &recipe, source, seed, first, head);
    }
    assert!(vectors.lines().count() > 50);
    let recipes = include_str!("../../kat/recipes.csv");
    for line in recipes.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [recipe, source, seed, head] = fields[..] else { panic!("4 fields: {line}") };
        draws(&program, recipe, source, seed, "0", head);
    }
    assert!(recipes.lines().count() > 2);
}

/// The first block of a language in a document.
fn block<'a>(markdown: &'a str, language: &str) -> &'a str {
    let (_, from) = markdown.split_once(&format!("```{language}\n")).expect("a block");
    from.split_once("```").expect("its end").0
}

/// The first block of C in a document.
fn example(markdown: &str) -> &str {
    block(markdown, "c")
}

/// Compiles a file as C++17 with all warnings as errors.
fn compile_cpp(source: &Path) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(source.file_stem().unwrap());
    let compiled = Command::new(std::env::var_os("CXX").unwrap_or("c++".into()))
        .args(["-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .arg(format!("-I{HERE}/include"))
        .arg(source)
        .arg(library())
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(&program)
        .output()
        .expect("a C++ compiler: install g++ or clang (Debian, Ubuntu: apt install g++)");
    assert!(compiled.status.success(), "{}", text(&compiled));
    program
}

/// The header for C++: owners, types, exceptions.
#[test]
fn owners_and_exceptions_in_cpp() {
    let program = compile_cpp(Path::new(&format!("{HERE}/tests/owners.cpp")));
    let run = Command::new(program).output().unwrap();
    assert!(run.status.success(), "the check in line {:?} of owners.cpp\n{}", run.status.code(), text(&run));
}

/// The tutorial's program in C++ begins as the command does, which the tutorial shows below it.
#[test]
fn the_examples_in_cpp_run() {
    let tutorial = include_str!("../../docs/book/tutorial-fhe.md");
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("errors.cpp");
    std::fs::write(&source, block(tutorial, "cpp")).unwrap();
    let run = Command::new(compile_cpp(&source)).output().unwrap();
    assert!(run.status.success(), "{}", text(&run));
    let (_, shown) = tutorial.split_once("$ samplez sample").expect("the command");
    let shown: Vec<&str> = shown.lines().skip(1).take_while(|line| *line != "```").collect();
    assert_eq!(String::from_utf8_lossy(&run.stdout).split_whitespace().collect::<Vec<_>>(), shown);
}

#[test]
fn the_examples_run() {
    let short = example(include_str!("../../README.md"));
    let short = format!("#include <samplez.h>\nint main(void) {{\n{short}\nreturn noise[0] == 127;\n}}\n");
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("short.c");
    std::fs::write(&source, short).unwrap();
    let run =
        Command::new(compile_file(&source, &["-fsanitize=undefined", "-fno-sanitize-recover=all"])).output().unwrap();
    assert!(run.status.success(), "{}", text(&run));

    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("example.c");
    std::fs::write(&source, example(include_str!("../README.md"))).unwrap();
    let run = Command::new(compile_file(&source, &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", text(&run));
    let drawn = String::from_utf8(run.stdout).unwrap();
    assert_eq!(drawn.split_whitespace().filter(|word| word.parse::<i8>().is_ok()).count(), 3, "{drawn}");
}

/// What the page shows as code draws: the first program the vectors' samples, the second, from the operating system, others.
#[test]
fn the_page_s_examples_run() {
    let (before, show) = ("    free(samples);", "for (size_t i = 0; i < 16; i++) printf(\"%d \", samples[i]);");
    let programs = include_str!("../../docs/book/names.md").split("```c\n").skip(1);
    let drawn: Vec<String> = programs
        .enumerate()
        .map(|(i, piece)| {
            let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("page{i}.c"));
            let program = piece.split("```").next().unwrap().replace(before, &format!("{show}\n{before}"));
            assert!(program.contains(show));
            std::fs::write(&source, program).unwrap();
            let run =
                Command::new(compile_file(&source, &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]))
                    .output()
                    .unwrap();
            assert!(run.status.success(), "{}", text(&run));
            String::from_utf8(run.stdout).unwrap()
        })
        .collect();
    let vectors = include_str!("../../kat/recipes.csv");
    let wanted = vectors.lines().find_map(|line| line.strip_prefix("sigma=3.2,chacha20,42,")).unwrap();
    assert_eq!((drawn.len(), drawn[0].trim_end()), (2, wanted));
    assert_ne!(drawn[0], drawn[1]);
}
