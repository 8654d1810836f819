;; The shallow structure of a JSON text: where its brackets stand that open or close the four outermost levels, and
;; where "resourceType" stands on the fourth, that of the resources in a Bundle. 64 bytes at a time; what stands deeper
;; is counted and not looked at one by one. src/batch/structure.ts calls it.
(module
  (memory (export "memory") 6)
  ;; Where the text that comes before this block left off.
  (global $depth (export "depth") (mut i32) (i32.const 0))
  (global $string (export "string") (mut i64) (i64.const 0)) ;; -1 inside of a string
  (global $escaped (export "escaped") (mut i64) (i64.const 0)) ;; 1 after a backslash that counts
  ;; Whether a letter was spelled with an escape, as in "resource\u0054ype".
  (global $spelled (export "spelled") (mut i32) (i32.const 0))

  ;; The bytes after a backslash that counts, out of the backslashes of 64 bytes at $at.
  (func $escapes (param $at i32) (param $backslashes i64) (result i64)
    (local $left i64) (local $after i64) (local $bit i64) (local $next i32)
    (local.set $after (global.get $escaped))
    (local.set $left (i64.and (local.get $backslashes) (i64.xor (local.get $after) (i64.const -1))))
    (global.set $escaped (i64.const 0))
    (block $done
      (loop $each
        (br_if $done (i64.eqz (local.get $left)))
        (local.set $bit (i64.and (local.get $left) (i64.sub (i64.const 0) (local.get $left))))
        (local.set $next (i32.add (local.get $at) (i32.wrap_i64 (i64.add (i64.ctz (local.get $left)) (i64.const 1)))))
        ;; `u00` and 4 to 7.
        (if (i32.and
              (i32.eq (i32.and (i32.load (local.get $next)) (i32.const 0xffffff)) (i32.const 0x303075))
              (i32.eq (i32.and (i32.load8_u offset=3 (local.get $next)) (i32.const 0xfc)) (i32.const 0x34)))
          (then (global.set $spelled (i32.const 1))))
        (if (i64.lt_s (local.get $bit) (i64.const 0)) (then (global.set $escaped (i64.const 1))))
        (local.set $bit (i64.or (local.get $bit) (i64.shl (local.get $bit) (i64.const 1))))
        (local.set $after (i64.or (local.get $after) (local.get $bit)))
        (local.set $left (i64.and (local.get $left) (i64.xor (local.get $bit) (i64.const -1))))
        (br $each)))
    ;; A backslash that counts is in it as well: no quote stands there.
    (local.get $after))

  ;; Which letters T of 64 bytes at $at are that of "resourceType".
  (func $types (param $at i32) (param $letters i64) (result i64)
    (local $found i64) (local $place i32)
    (block $done
      (loop $each
        (br_if $done (i64.eqz (local.get $letters)))
        (local.set $place (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $letters)))))
        (if (i32.and
              (i32.and
                (i32.eq (i32.load (local.get $place)) (i32.const 0x65707954)) ;; Type
                (i32.eq (i32.load8_u offset=4 (local.get $place)) (i32.const 0x22)))
              (i64.eq
                (i64.load (i32.sub (local.get $place) (i32.const 8)))
                (i64.const 0x656372756f736572))) ;; resource
          (then (local.set $found (i64.or
            (local.get $found)
            (i64.and (local.get $letters) (i64.sub (i64.const 0) (local.get $letters)))))))
        (local.set $letters (i64.and (local.get $letters) (i64.sub (local.get $letters) (i64.const 1))))
        (br $each)))
    (local.get $found))

  ;; Looks at a block of $length bytes at $start. Writes a number for each mark to $marks: its place in the block, and
  ;; from bit 20 on its level; bit 24 for what closes, bit 25 for a type. How many marks there are.
  (func (export "scan") (param $start i32) (param $length i32) (param $marks i32) (result i32)
    (local $at i32) (local $end i32) (local $to i32) (local $depth i32) (local $place i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local $quotes i64) (local $slashes i64) (local $opens i64) (local $closes i64) (local $types i64)
    (local $inside i64) (local $left i64) (local $bit i64) (local $lowest i32)
    (local.set $at (local.get $start))
    (local.set $end (i32.add (local.get $start) (local.get $length)))
    (local.set $to (local.get $marks))
    (local.set $depth (global.get $depth))
    (local.set $inside (global.get $string))
    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $a (v128.load (local.get $at)))
        (local.set $b (v128.load offset=16 (local.get $at)))
        (local.set $c (v128.load offset=32 (local.get $at)))
        (local.set $d (v128.load offset=48 (local.get $at)))
        (local.set $quotes
          (i64.or
            (i64.or
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (i8x16.splat (i32.const 0x22)))))
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (i8x16.splat (i32.const 0x22)))))
                (i64.const 16)))
            (i64.or
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (i8x16.splat (i32.const 0x22)))))
                (i64.const 32))
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (i8x16.splat (i32.const 0x22)))))
                (i64.const 48)))))
        (local.set $slashes
          (i64.or
            (i64.or
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (i8x16.splat (i32.const 0x5c)))))
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (i8x16.splat (i32.const 0x5c)))))
                (i64.const 16)))
            (i64.or
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (i8x16.splat (i32.const 0x5c)))))
                (i64.const 32))
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (i8x16.splat (i32.const 0x5c)))))
                (i64.const 48)))))
        (if (i64.ne (i64.or (local.get $slashes) (global.get $escaped)) (i64.const 0))
          (then (local.set $quotes (i64.and
            (local.get $quotes)
            (i64.xor (call $escapes (local.get $at) (local.get $slashes)) (i64.const -1))))))
        ;; From each quote on, up to the next: inside of a string.
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 1))))
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 2))))
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 4))))
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 8))))
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 16))))
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 32))))
        (local.set $inside (i64.xor (local.get $quotes) (local.get $inside)))
        ;; `[` and `{`, `]` and `}` differ in one bit.
        (local.set $e (v128.or (local.get $a) (i8x16.splat (i32.const 0x20))))
        (local.set $f (v128.or (local.get $b) (i8x16.splat (i32.const 0x20))))
        (local.set $g (v128.or (local.get $c) (i8x16.splat (i32.const 0x20))))
        (local.set $h (v128.or (local.get $d) (i8x16.splat (i32.const 0x20))))
        (local.set $left (i64.xor (local.get $inside) (i64.const -1)))
        (local.set $opens (i64.and
          (local.get $left)
          (i64.or
            (i64.or
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $e) (i8x16.splat (i32.const 0x7b)))))
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $f) (i8x16.splat (i32.const 0x7b)))))
                (i64.const 16)))
            (i64.or
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $g) (i8x16.splat (i32.const 0x7b)))))
                (i64.const 32))
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $h) (i8x16.splat (i32.const 0x7b)))))
                (i64.const 48))))))
        (local.set $closes (i64.and
          (local.get $left)
          (i64.or
            (i64.or
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $e) (i8x16.splat (i32.const 0x7d)))))
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $f) (i8x16.splat (i32.const 0x7d)))))
                (i64.const 16)))
            (i64.or
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $g) (i8x16.splat (i32.const 0x7d)))))
                (i64.const 32))
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $h) (i8x16.splat (i32.const 0x7d)))))
                (i64.const 48))))))
        (local.set $inside (i64.shr_s (local.get $inside) (i64.const 63)))
        (local.set $types (i64.const 0))
        (local.set $lowest (i32.sub (local.get $depth) (i32.wrap_i64 (i64.popcnt (local.get $closes)))))
        (if (i32.le_s (local.get $lowest) (i32.const 4))
          (then
            (local.set $types
              (i64.or
                (i64.or
                  (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (i8x16.splat (i32.const 0x54)))))
                  (i64.shl
                    (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (i8x16.splat (i32.const 0x54)))))
                    (i64.const 16)))
                (i64.or
                  (i64.shl
                    (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (i8x16.splat (i32.const 0x54)))))
                    (i64.const 32))
                  (i64.shl
                    (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (i8x16.splat (i32.const 0x54)))))
                    (i64.const 48)))))
            (if (i64.ne (local.get $types) (i64.const 0))
              (then (local.set $types (call $types (local.get $at) (local.get $types)))))))
        (if (i32.and (i64.eqz (local.get $types)) (i32.ge_s (local.get $lowest) (i32.const 4)))
          (then
            (local.set $depth (i32.add
              (local.get $depth)
              (i32.wrap_i64 (i64.sub (i64.popcnt (local.get $opens)) (i64.popcnt (local.get $closes)))))))
          (else
            (local.set $left (i64.or (local.get $types) (i64.or (local.get $opens) (local.get $closes))))
            (block $looked
              (loop $each
                (br_if $looked (i64.eqz (local.get $left)))
                (local.set $bit (i64.and (local.get $left) (i64.sub (i64.const 0) (local.get $left))))
                (local.set $place (i32.sub
                  (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $left))))
                  (local.get $start)))
                (local.set $left (i64.and (local.get $left) (i64.sub (local.get $left) (i64.const 1))))
                (if (i64.ne (i64.and (local.get $bit) (local.get $opens)) (i64.const 0))
                  (then
                    (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
                    (br_if $each (i32.gt_s (local.get $depth) (i32.const 4))))
                  (else
                    (if (i64.ne (i64.and (local.get $bit) (local.get $closes)) (i64.const 0))
                      (then
                        (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
                        (br_if $each (i32.gt_s (local.get $depth) (i32.const 3)))
                        ;; What closes has the level of what it closes.
                        (local.set $place (i32.add (local.get $place) (i32.const 0x1100000))))
                      (else
                        (br_if $each (i32.ne (local.get $depth) (i32.const 4)))
                        (local.set $place (i32.or (local.get $place) (i32.const 0x2000000)))))))
                ;; More is closed than was opened: no JSON.
                (br_if $done (i32.lt_s (local.get $depth) (i32.const 0)))
                (i32.store
                  (local.get $to)
                  (i32.add (local.get $place) (i32.shl (local.get $depth) (i32.const 20))))
                (local.set $to (i32.add (local.get $to) (i32.const 4)))
                (br $each)))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $blocks)))
    (global.set $depth (local.get $depth))
    (global.set $string (local.get $inside))
    (i32.shr_u (i32.sub (local.get $to) (local.get $marks)) (i32.const 2))))
