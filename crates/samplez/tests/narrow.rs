//! Output types that are too narrow are refused before anything is drawn, by one rule.

use samplez::{Bulk, FillError, Int, NarrowType, Noise, Recipe, Seed, Source, Stream, StreamError};
use std::num::NonZeroUsize;

fn built(recipe: &str) -> Box<dyn Noise> {
    recipe.parse::<Recipe>().unwrap().build().unwrap().into_sampler()
}

/// P(X < min) + P(X > max) of D_{Z,σ,c} by plain sums from the far end, relative error below 1e-10.
fn mass_beyond(sigma: f64, center: f64, min: i64, max: i64) -> f64 {
    let weight = |x: i64| (-(x as f64 - center).powi(2) / (2.0 * sigma * sigma)).exp();
    let far = (40.0 * sigma) as i64 + center.abs() as i64 + 300;
    let sum = |from: i64, to: i64| (from..=to).map(weight).sum::<f64>();
    (sum(-far, min - 1) + sum(max + 1, far)) / sum(-far, far)
}

/// The edge of an exact method's types is where the mass beyond them is 2^-128, about centres of every kind.
#[test]
fn the_edge_of_a_type_is_a_mass_of_2_to_minus_128() {
    let limit = 2_f64.powi(-128);
    let (mut narrow, mut wide) = (0, 0);
    for center in ["0", "1/3", "-37", "60.5"] {
        let c = center.parse::<samplez::Rational>().unwrap().to_f64();
        for hundredths in (400..1010).step_by(5) {
            let sigma = f64::from(hundredths) / 100.0;
            let mass = mass_beyond(sigma, c, -128, 127);
            let sampler = built(&format!("sigma={sigma},center={center},method=karney"));
            let checked = NarrowType::check::<i8>(&*sampler);
            assert_eq!(checked.is_ok(), mass < limit, "sigma = {sigma}, center = {center}: {:e}", mass / limit);
            if let Err(e) = &checked {
                assert!(*e.range.start() < -128 || *e.range.end() > 127, "{e}");
                assert!(mass_beyond(sigma, c, *e.range.start(), *e.range.end()) < limit, "{e}");
                assert_eq!(e.wider, "i16");
            }
            *if checked.is_ok() { &mut wide } else { &mut narrow } += 1;
            assert!(NarrowType::check::<i16>(&*sampler).is_ok() && NarrowType::check::<i64>(&*sampler).is_ok());
        }
    }
    assert!(narrow > 50 && wide > 50, "{narrow}, {wide}");
}

/// A certified method's type holds the table, or leaves out as little of the ideal law. An exact table's support does not count.
#[test]
fn the_support_counts_where_nothing_else_comes_out() {
    let fits = |recipe: &str| NarrowType::check::<i8>(&*built(recipe)).is_ok();
    // 4σ of a table of 13 bits, 9σ and more of one of 128.
    assert!(fits("sigma=30,method=cdt,precision=13") && !fits("sigma=30,method=cdt,precision=128"));
    assert!(!fits("sigma=30,method=cdt,precision=13,exact=true"));
    // Wide nominal supports: 14σ, 32768σ and all integers.
    for method in ["rejection", "du-wei-4", "cks", "karney"] {
        let sampler = built(&format!("sigma=9,method={method}"));
        assert!(NarrowType::check::<i8>(&*sampler).is_ok(), "{method}");
    }
    let wide = built("sigma=100000,method=karney");
    let e = NarrowType::check::<i8>(&*wide).unwrap_err();
    assert_eq!((e.wider, NarrowType::check::<i16>(&*wide).unwrap_err().wider), ("i32", "i32"));
    let far = built("sigma=3,center=1e12,method=karney");
    assert_eq!(NarrowType::check::<i32>(&*far).unwrap_err().wider, "i64");
}

/// Refuses every way in, before a bit is drawn, whatever is asked for.
fn refused<T: Int>(noise: &dyn Noise) {
    let bulk = Bulk::new(noise, Source::ChaCha20, Seed::from_number(1));
    let threads = NonZeroUsize::new(2).unwrap();
    let mut out = [T::ZERO; 100];
    for filled in [
        bulk.fill(0, &mut out),
        bulk.fill(0, &mut out[..0]),
        bulk.fill_block(3, &mut out),
        bulk.par_fill(7, &mut out, threads),
        bulk.par_fill_while(7, &mut out, threads, |_| unreachable!("nothing was made")),
    ] {
        assert!(matches!(filled, Err(FillError::Narrow(_))), "{filled:?}");
    }
    let seed = Seed::from_number(2);
    let open = || Stream::new(Source::ChaCha20.open(&seed).unwrap());
    let mut stream = open();
    assert!(matches!(stream.fill(noise, &mut out), Err(StreamError::Narrow(_))));
    assert!(out.iter().all(|x| x.widen() == 0));
    assert_eq!(stream.seed().unwrap().expose(), open().seed().unwrap().expose(), "no bit was drawn");
}

#[test]
fn every_way_in_refuses() {
    let sampler = built("sigma=40000,method=karney");
    refused::<i8>(&*sampler);
    refused::<i16>(&*sampler);
    let owned = Bulk::new(built("sigma=30"), Source::Os, Seed::from_number(0));
    assert!(matches!(owned.blocks::<i8>(0, 10, NonZeroUsize::MIN), Err(FillError::Narrow(_))));
    let encoded = owned.blocks_as::<i8, u8>(0, 10, NonZeroUsize::MIN, |_, _, _| ());
    assert!(matches!(encoded, Err(FillError::Narrow(_))));
    owned.fill(0, &mut [0_i16; 1000]).unwrap();
}

#[test]
fn the_message_names_what_the_caller_wrote() {
    let e = NarrowType::check::<i8>(&*built("s=80,center=1/2,method=karney")).unwrap_err();
    assert_eq!(e.to_string(), "output type = i8: the samples range from -418 to 419; use i16");
    assert!(e.respelled("dtype", |name| name.replace('i', "int")).starts_with("dtype = int8: "));
}
