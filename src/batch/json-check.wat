;; Whether a text is JSON, as JSON.parse takes it, without making anything of it. Strings are looked at 16 bytes at a
;; time. src/batch/json-check.ts calls it.
(module
  ;; The first page holds the open brackets, one byte each; the text stands behind it, a zero behind the text.
  (memory (export "memory") 18)

  ;; The first byte at or behind $at that is no blank.
  (func $blanks (param $at i32) (result i32)
    (local $byte i32)
    (block $done
      (loop $each
        (local.set $byte (i32.load8_u (local.get $at)))
        (br_if $done (i32.gt_u (local.get $byte) (i32.const 0x20)))
        (br_if $done (i32.and
          (i32.and (i32.ne (local.get $byte) (i32.const 0x20)) (i32.ne (local.get $byte) (i32.const 0x0a)))
          (i32.and (i32.ne (local.get $byte) (i32.const 0x0d)) (i32.ne (local.get $byte) (i32.const 0x09)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))
    (local.get $at))

  (func $isDigit (param $byte i32) (result i32)
    (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 10)))

  (func $isHex (param $byte i32) (result i32)
    (i32.or
      (call $isDigit (local.get $byte))
      (i32.lt_u (i32.sub (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x61)) (i32.const 6))))

  ;; The end of the string whose characters begin at $at; 0 where it is none.
  (func $string (param $at i32) (result i32)
    (local $bytes v128) (local $found i32) (local $byte i32)
    (loop $each
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $found (i8x16.bitmask (v128.or
        (v128.or
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))
        (i8x16.lt_u (local.get $bytes) (i8x16.splat (i32.const 0x20))))))
      (if (i32.eqz (local.get $found))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $each)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $found))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.eq (local.get $byte) (i32.const 0x22)) (then (return (i32.add (local.get $at) (i32.const 1)))))
      (if (i32.ne (local.get $byte) (i32.const 0x5c)) (then (return (i32.const 0))))
      (local.set $byte (i32.load8_u offset=1 (local.get $at)))
      ;; u and four digits
      (if (i32.eq (local.get $byte) (i32.const 0x75))
        (then
          (if (i32.eqz (i32.and
                (i32.and
                  (call $isHex (i32.load8_u offset=2 (local.get $at)))
                  (call $isHex (i32.load8_u offset=3 (local.get $at))))
                (i32.and
                  (call $isHex (i32.load8_u offset=4 (local.get $at)))
                  (call $isHex (i32.load8_u offset=5 (local.get $at))))))
            (then (return (i32.const 0))))
          (local.set $at (i32.add (local.get $at) (i32.const 6)))
          (br $each)))
      ;; b, f, n, r, t; then the quote, the slash and the backslash
      (if (i32.eqz (i32.or
            (i32.and
              (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x60)) (i32.const 0x15))
              (i32.and (i32.shr_u (i32.const 0x144044) (i32.sub (local.get $byte) (i32.const 0x60))) (i32.const 1)))
            (i32.or
              (i32.eq (local.get $byte) (i32.const 0x22))
              (i32.or (i32.eq (local.get $byte) (i32.const 0x2f)) (i32.eq (local.get $byte) (i32.const 0x5c))))))
        (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (br $each))
    (unreachable))

  ;; Behind the digits at $at; 0 where there is none.
  (func $digits (param $at i32) (result i32)
    (if (i32.eqz (call $isDigit (i32.load8_u (local.get $at)))) (then (return (i32.const 0))))
    (loop $each
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $each (call $isDigit (i32.load8_u (local.get $at)))))
    (local.get $at))

  ;; The end of the number at $at; 0 where there is none.
  (func $number (param $at i32) (result i32)
    (local $byte i32)
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2d))
      (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x30))
      (then (local.set $at (i32.add (local.get $at) (i32.const 1))))
      (else
        (local.set $at (call $digits (local.get $at)))
        (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2e))
      (then
        (local.set $at (call $digits (i32.add (local.get $at) (i32.const 1))))
        (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))))
    (if (i32.eq (i32.or (i32.load8_u (local.get $at)) (i32.const 0x20)) (i32.const 0x65))
      (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.or (i32.eq (local.get $byte) (i32.const 0x2b)) (i32.eq (local.get $byte) (i32.const 0x2d)))
          (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
        (local.set $at (call $digits (local.get $at)))))
    (local.get $at))

  ;; Behind the key at $at, its colon and what is blank around them; 0 where there is none.
  (func $key (param $at i32) (result i32)
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x22)) (then (return (i32.const 0))))
    (local.set $at (call $string (i32.add (local.get $at) (i32.const 1))))
    (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))
    (local.set $at (call $blanks (local.get $at)))
    (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x3a)) (then (return (i32.const 0))))
    (call $blanks (i32.add (local.get $at) (i32.const 1))))

  ;; Whether the $length bytes at $at are values with commas between them; 0 also where too many brackets are open.
  (func (export "check") (param $at i32) (param $length i32) (result i32)
    (local $end i32) (local $byte i32) (local $depth i32)
    (local.set $end (i32.add (local.get $at) (local.get $length)))
    (local.set $at (call $blanks (local.get $at)))
    (loop $value
      (block $ended
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.eq (local.get $byte) (i32.const 0x22))
          (then
            (local.set $at (call $string (i32.add (local.get $at) (i32.const 1))))
            (br_if $ended (local.get $at))
            (return (i32.const 0))))
        ;; { or [, which is what closes it less 2
        (if (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7b))
          (then
            (local.set $at (call $blanks (i32.add (local.get $at) (i32.const 1))))
            (if (i32.eq (i32.load8_u (local.get $at)) (i32.add (local.get $byte) (i32.const 2)))
              (then
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (br $ended)))
            (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
            (if (i32.gt_u (local.get $depth) (i32.const 0xffff)) (then (return (i32.const 0))))
            (i32.store8 (local.get $depth) (local.get $byte))
            (br_if $value (i32.eq (local.get $byte) (i32.const 0x5b)))
            (local.set $at (call $key (local.get $at)))
            (br_if $value (local.get $at))
            (return (i32.const 0))))
        (if (i32.or
              (i32.eq (i32.load (local.get $at)) (i32.const 0x65757274)) ;; true
              (i32.eq (i32.load (local.get $at)) (i32.const 0x6c6c756e))) ;; null
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br $ended)))
        (if (i32.and
              (i32.eq (i32.load (local.get $at)) (i32.const 0x736c6166)) ;; false
              (i32.eq (i32.load8_u offset=4 (local.get $at)) (i32.const 0x65)))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 5)))
            (br $ended)))
        (local.set $at (call $number (local.get $at)))
        (if (i32.eqz (local.get $at)) (then (return (i32.const 0)))))
      ;; Behind a value.
      (loop $after
        (local.set $at (call $blanks (local.get $at)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.eq (local.get $byte) (i32.const 0x2c))
          (then
            (local.set $at (call $blanks (i32.add (local.get $at) (i32.const 1))))
            (br_if $value (i32.eqz (local.get $depth)))
            (br_if $value (i32.eq (i32.load8_u (local.get $depth)) (i32.const 0x5b)))
            (local.set $at (call $key (local.get $at)))
            (br_if $value (local.get $at))
            (return (i32.const 0))))
        (if (i32.eqz (local.get $depth)) (then (return (i32.eq (local.get $at) (local.get $end)))))
        (if (i32.ne (local.get $byte) (i32.add (i32.load8_u (local.get $depth)) (i32.const 2)))
          (then (return (i32.const 0))))
        (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $after)))
    (unreachable)))
