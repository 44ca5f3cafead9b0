#!/usr/bin/env run
//! A small shop.
#![allow(dead_code)]
use std::{collections::HashMap, fmt::{self, Display as Show}};
use super::other::*;
pub(crate) mod inner;
extern crate alloc;

/// One part.
#[derive(Debug, Clone, PartialEq)]
pub struct Part<'a, T: Show + ?Sized = str> where T: 'a {
    pub name: &'a str,
    price: f64,
    data: Option<Box<T>>,
}
struct Pair(i32, pub u8);
struct Unit;

enum Shape { Circle { r: f64 }, Square(u32), Empty = 3 }

const LIMIT: usize = 0xFF + 0b11 + 0o17 + 1_000usize;
static mut COUNT: i64 = -1;
type Table<K> = HashMap<K, Vec<[u8; 4]>>;

trait Visit { type Out; const N: usize = 1; fn visit(&mut self, n: Self::Out) -> bool { let _ = n; true } }

impl<'a, T> Visit for Part<'a, T> where T: Show + ?Sized {
    type Out = dyn Fn(i32) -> ();
    fn visit(&mut self, n: Self::Out) -> bool { self.price += 1.5e-3; !self.name.is_empty() && false }
}

macro_rules! square {
    ($x:expr $(, $rest:ty)*) => { $x * $x };
    () => { 0 };
}

union Bits { a: u32, b: f32 }

unsafe extern "C" fn raw(p: *const u8, q: *mut u8) -> ! { loop {} }

pub async fn search<F>(items: &[Part<'_>], key: F) -> Result<u32, Box<dyn std::error::Error>> where F: FnOnce(&str) -> u32 {
    let mut total: u32 = 0;
    let (a, b) = (1, 2.0f32);
    let text = "quoted \"text\" {}\n"; let raw = r#"raw "text""#; let bytes = b"bytes"; let letter = 'x'; let nl = b'\n';
    'outer: for (i, item) in items.iter().enumerate() {
        if item.price >= 1.0 || i % 2 != 0 { continue 'outer; } else if let Some(d) = &item.data { break; }
    }
    for i in 0..=10 { total <<= 1; total ^= i as u32 & 3 | 4; }
    while let Some(x) = stack.pop() { total -= x >> 1; }
    let found = match total {
        0 | 1 => "few",
        n @ 2..=9 if n > 3 => "some",
        _ => "many",
    };
    let closure = move |x: i32, y| -> i32 { x + y };
    let part = Part { name: "a", ..Default::default() };
    let Shape::Circle { r, .. } = shape else { return Err("no".into()) };
    println!("{} {:?} {found}", square!(3), vec![1, 2, 3]);
    let v = items.iter().map(|p| p.name.len()).collect::<Vec<_>>();
    unsafe { COUNT += 1; }
    let r = &mut total; *r = !0; let fut = load().await?;
    /* block /* nested */ comment */
    crate::inner::done(self::here())
}
