;; The first look at the lines of an export: where each resource stands, which one it is and whose, out of its bytes
;; as servers write them. src/batch/line-scan.ts calls it and says what is known of a type; whatever could mean
;; something else is left to it.
(module
  ;; What is known of types, 128 bytes each: the length of the name, that of the property with its `":`, a seed, what is
  ;; to be done, the kind of record, how many were counted; at 32 the name, at 80 the property, at 112 what its last
  ;; eight bytes are and which of them count. From 16 KiB on records; from 128 KiB on lines.
  (memory (export "memory") 18)
  (global $types (export "types") (mut i32) (i32.const 0))
  (global $recordsEnd i32 (i32.const 0x1f000))
  ;; The line that was looked at last: where it begins and ends, and which one of its piece it is.
  (global $start (export "start") (mut i32) (i32.const 0))
  (global $end (export "end") (mut i32) (i32.const 0))
  (global $line (export "line") (mut i32) (i32.const 0))
  ;; Where to go on; where the text is that was asked about; where the next record is written.
  (global $next (export "next") (mut i32) (i32.const 0))
  (global $textStart (export "textStart") (mut i32) (i32.const 0))
  (global $textEnd (export "textEnd") (mut i32) (i32.const 0))
  (global $record (export "record") (mut i32) (i32.const 0x4000))
  (global $piece (export "piece") (mut i32) (i32.const 0))
  ;; Where in the file the byte at 0 would stand.
  (global $base (export "base") (mut f64) (f64.const 0))
  ;; The type that was met last.
  (global $type (mut i32) (i32.const 0))
  ;; What $look finds: an escape or another type; keys `id`; what stands behind the property, -1 where it is there twice
  (global $isOpen (mut i32) (i32.const 0))
  (global $ids (mut i32) (i32.const 0))
  (global $owner (mut i32) (i32.const 0))

  (func $byte (param $at i32) (result i32) (i32.load8_u (local.get $at)))

  ;; The end of the line, from $at on.
  (func $lineEnd (param $at i32) (result i32)
    (local $found i32)
    (loop $each
      (local.set $found
        (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 0x0a)))))
      (if (i32.eqz (local.get $found))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $each))))
    (i32.add (local.get $at) (i32.ctz (local.get $found))))

  ;; Whether $length bytes at two places are the same.
  (func $isSame (param $one i32) (param $other i32) (param $length i32) (result i32)
    (block $done
      (loop $each
        (br_if $done (i32.eqz (local.get $length)))
        (if (i32.ne (call $byte (local.get $one)) (call $byte (local.get $other))) (then (return (i32.const 0))))
        (local.set $one (i32.add (local.get $one) (i32.const 1)))
        (local.set $other (i32.add (local.get $other) (i32.const 1)))
        (local.set $length (i32.sub (local.get $length) (i32.const 1)))
        (br $each)))
    (i32.const 1))

  ;; Behind one blank, where one stands.
  (func $blank (param $at i32) (result i32)
    (i32.add (local.get $at) (i32.eq (call $byte (local.get $at)) (i32.const 0x20))))

  ;; Whether the name of the type stands at $at, with its quote.
  (func $isNamed (param $type i32) (param $at i32) (result i32)
    (local $length i32)
    (local.set $length (i32.load (local.get $type)))
    (if (i32.ne (call $byte (i32.add (local.get $at) (local.get $length))) (i32.const 0x22))
      (then (return (i32.const 0))))
    (call $isSame (i32.add (local.get $type) (i32.const 32)) (local.get $at) (local.get $length)))

  ;; The type named at $at; -1 where it is not known.
  (func $typeAt (param $at i32) (result i32)
    (local $type i32)
    (if (i32.and (i32.ne (global.get $types) (i32.const 0)) (call $isNamed (global.get $type) (local.get $at)))
      (then (return (global.get $type))))
    (loop $each
      (if (i32.ge_u (local.get $type) (i32.shl (global.get $types) (i32.const 7))) (then (return (i32.const -1))))
      (if (call $isNamed (local.get $type) (local.get $at)) (then (return (local.get $type))))
      (local.set $type (i32.add (local.get $type) (i32.const 128)))
      (br $each))
    (unreachable))

  ;; The end of the text of letters, digits and what addresses of one resource are made of, at $at; 0 where it is
  ;; another or does not end before $end.
  (func $plainEnd (param $at i32) (param $end i32) (result i32)
    (local $byte i32) (local $first i32)
    (local.set $first (local.get $at))
    (loop $each
      (local.set $byte (call $byte (local.get $at)))
      (if (i32.or
            (i32.lt_u (i32.sub (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x61)) (i32.const 26))
            (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x2d)) (i32.const 14)))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $each))))
    (if (i32.or
          (i32.or (i32.ne (local.get $byte) (i32.const 0x22)) (i32.eq (local.get $at) (local.get $first)))
          (i32.or
            (i32.ge_u (local.get $at) (local.get $end))
            (i32.eq (call $byte (i32.sub (local.get $at) (i32.const 1))) (i32.const 0x2f))))
      (then (return (i32.const 0))))
    (local.get $at))

  ;; src/batch/mark.ts
  (func $mark (param $at i32) (param $end i32) (param $seed i32) (result f64)
    (local $low i32) (local $high i32) (local $mark f64)
    (local.set $low (i32.xor (i32.const 0xdeadbeef) (local.get $seed)))
    (local.set $high (i32.xor (i32.const 0x41c6ce57) (local.get $seed)))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $low
          (i32.mul (i32.xor (local.get $low) (call $byte (local.get $at))) (i32.const 2654435761)))
        (local.set $high
          (i32.mul (i32.xor (local.get $high) (call $byte (local.get $at))) (i32.const 1597334677)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))
    (local.set $low (i32.xor
      (i32.mul (i32.xor (local.get $low) (i32.shr_u (local.get $low) (i32.const 16))) (i32.const 2246822507))
      (i32.mul (i32.xor (local.get $high) (i32.shr_u (local.get $high) (i32.const 13))) (i32.const 3266489909))))
    (local.set $high (i32.xor
      (i32.mul (i32.xor (local.get $high) (i32.shr_u (local.get $high) (i32.const 16))) (i32.const 2246822507))
      (i32.mul (i32.xor (local.get $low) (i32.shr_u (local.get $low) (i32.const 13))) (i32.const 3266489909))))
    (local.set $mark (f64.add
      (f64.mul (f64.const 4294967296) (f64.convert_i32_u (i32.and (local.get $high) (i32.const 2097151))))
      (f64.convert_i32_u (local.get $low))))
    (select (f64.const 1) (local.get $mark) (f64.eq (local.get $mark) (f64.const 0))))

  ;; The end of the line, from $at on, with what stands in it.
  (func $look (param $at i32) (param $type i32) (result i32)
    (local $bytes v128) (local $found i32) (local $place i32) (local $byte i32) (local $length i32)
    (local $last i64) (local $counts i64)
    (global.set $isOpen (i32.const 0))
    (global.set $ids (i32.const 0))
    (global.set $owner (i32.const 0))
    (local.set $length (i32.load offset=4 (local.get $type)))
    (local.set $last (i64.load offset=112 (local.get $type)))
    (local.set $counts (i64.load offset=120 (local.get $type)))
    (loop $blocks
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $found (i8x16.bitmask (v128.or
        (v128.or
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x0a)))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))
        (v128.or
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x3a)))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x54)))))))
      (block $looked
        (loop $each
          (br_if $looked (i32.eqz (local.get $found)))
          (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $found))))
          (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
          (local.set $byte (call $byte (local.get $place)))
          (if (i32.eq (local.get $byte) (i32.const 0x3a))
            (then
              (br_if $each (i32.ne (call $byte (i32.sub (local.get $place) (i32.const 1))) (i32.const 0x22)))
              ;; "id":
              (if (i32.and
                    (i32.eq (i32.load (i32.sub (local.get $place) (i32.const 3))) (i32.const 0x3a226469))
                    (i32.eq (call $byte (i32.sub (local.get $place) (i32.const 4))) (i32.const 0x22)))
                (then (global.set $ids (i32.add (global.get $ids) (i32.const 1)))))
              (br_if $each (i64.ne
                (i64.and
                  (i64.xor (i64.load (i32.sub (local.get $place) (i32.const 7))) (local.get $last))
                  (local.get $counts))
                (i64.const 0)))
              (br_if $each (i32.eqz (local.get $length)))
              (local.set $place (i32.add (local.get $place) (i32.const 1)))
              (br_if $each (i32.eqz (call $isSame
                (i32.add (local.get $type) (i32.const 80))
                (i32.sub (local.get $place) (local.get $length))
                (local.get $length))))
              ;; Twice, or the end of a longer key.
              (global.set $owner (select
                (i32.const -1)
                (local.get $place)
                (i32.or
                  (i32.ne (global.get $owner) (i32.const 0))
                  (i32.ne
                    (call $byte (i32.sub (local.get $place) (i32.add (local.get $length) (i32.const 1))))
                    (i32.const 0x22)))))
              (br $each)))
          (if (i32.eq (local.get $byte) (i32.const 0x0a)) (then (return (local.get $place))))
          (if (i32.eq (local.get $byte) (i32.const 0x5c))
            (then
              ;; u00: it may spell a key.
              (if (i32.eq
                    (i32.and (i32.load offset=1 (local.get $place)) (i32.const 0xffffff))
                    (i32.const 0x303075))
                (then (global.set $isOpen (i32.const 1))))
              (br $each)))
          (if (i32.and
                (i32.eq (i32.load (local.get $place)) (i32.const 0x65707954)) ;; Type
                (i64.eq
                  (i64.load (i32.sub (local.get $place) (i32.const 8)))
                  (i64.const 0x656372756f736572))) ;; resource
            (then (global.set $isOpen (i32.const 1))))
          (br $each)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $blocks))
    (unreachable))

  ;; Where the id begins that stands behind the type; 0 where another key does.
  (func $idAt (param $at i32) (result i32)
    (if (i32.ne (call $byte (local.get $at)) (i32.const 0x2c)) (then (return (i32.const 0))))
    (local.set $at (call $blank (i32.add (local.get $at) (i32.const 1))))
    ;; "id":
    (if (i32.or
          (i32.ne (i32.load (local.get $at)) (i32.const 0x22646922))
          (i32.ne (i32.load8_u offset=4 (local.get $at)) (i32.const 0x3a)))
      (then (return (i32.const 0))))
    (local.set $at (call $blank (i32.add (local.get $at) (i32.const 5))))
    (select
      (i32.add (local.get $at) (i32.const 1))
      (i32.const 0)
      (i32.eq (call $byte (local.get $at)) (i32.const 0x22))))

  ;; Where the reference to the patient begins, in the object at $at; 0 where it holds something else first.
  (func $referenceAt (param $at i32) (result i32)
    (local.set $at (call $blank (local.get $at)))
    (if (i32.ne (call $byte (local.get $at)) (i32.const 0x7b)) (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    ;; "reference":
    (if (i64.ne (i64.load (local.get $at)) (i64.const 0x6e65726566657222)) (then (return (i32.const 0))))
    (if (i32.ne (i32.load offset=8 (local.get $at)) (i32.const 0x3a226563)) (then (return (i32.const 0))))
    (local.set $at (call $blank (i32.add (local.get $at) (i32.const 12))))
    (select
      (i32.add (local.get $at) (i32.const 1))
      (i32.const 0)
      (i32.eq (call $byte (local.get $at)) (i32.const 0x22))))

  ;; Whether an object is closed behind $at and before $end, and names no second reference till then.
  (func $isOnly (param $at i32) (param $end i32) (result i32)
    (loop $each
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 0))))
      (if (i32.eq (call $byte (local.get $at)) (i32.const 0x7d)) (then (return (i32.const 1))))
      ;; "reference"
      (if (i32.and
            (i64.eq (i64.load (local.get $at)) (i64.const 0x6e65726566657222))
            (i32.eq (i32.and (i32.load offset=8 (local.get $at)) (i32.const 0xffffff)) (i32.const 0x226563)))
        (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $each))
    (unreachable))

  ;; Where what stands last in a reference begins.
  (func $tail (param $start i32) (param $end i32) (result i32)
    (local $byte i32)
    (block $done
      (loop $each
        (br_if $done (i32.le_u (local.get $end) (local.get $start)))
        (local.set $byte (call $byte (i32.sub (local.get $end) (i32.const 1))))
        (br_if $done (i32.or (i32.eq (local.get $byte) (i32.const 0x2f)) (i32.eq (local.get $byte) (i32.const 0x3a))))
        (local.set $end (i32.sub (local.get $end) (i32.const 1)))
        (br $each)))
    (local.get $end))

  (func $count (param $type i32)
    (i32.store offset=20 (local.get $type) (i32.add (i32.load offset=20 (local.get $type)) (i32.const 1))))

  ;; Ends the line at $at, which is a line end.
  (func $close (param $at i32)
    (global.set $line (i32.add (global.get $line) (i32.const 1)))
    (global.set $next (i32.add (local.get $at) (i32.const 1)))
    (global.set $end (i32.sub (local.get $at) (i32.and
      (i32.gt_u (local.get $at) (global.get $start))
      (i32.eq (call $byte (i32.sub (local.get $at) (i32.const 1))) (i32.const 0x0d))))))

  ;; Counts the line that nobody reads.
  (func (export "count") (call $count (global.get $type)))

  ;; Leaves the line of which the type was asked.
  (func (export "leave") (call $close (call $lineEnd (global.get $start))))

  ;; Looks at the lines that begin at $next and before $to, up to one of which something has to be told: 0 at the end of
  ;; all, 1 for a line that is left, 2 for an address that names a server, 3 for a line that nobody reads, 4 for a type
  ;; that is not known, 5 where there is no room for another record.
  (func (export "run") (param $to i32) (result i32)
    (local $at i32) (local $type i32) (local $todo i32) (local $id i32) (local $idEnd i32)
    (local $owner i32) (local $ownerEnd i32) (local $record i32) (local $mark f64)
    (loop $lines
      (global.set $start (global.get $next))
      (if (i32.ge_u (global.get $start) (local.get $to)) (then (return (i32.const 0))))
      (if (i32.gt_u (global.get $record) (global.get $recordsEnd)) (then (return (i32.const 5))))
      (local.set $at (global.get $start))
      ;; {"resourceType":
      (if (i32.or
            (i64.ne (i64.load (local.get $at)) (i64.const 0x72756f736572227b))
            (i64.ne (i64.load offset=8 (local.get $at)) (i64.const 0x3a22657079546563)))
        (then
          (call $close (call $lineEnd (local.get $at)))
          (return (i32.const 1))))
      (local.set $at (call $blank (i32.add (local.get $at) (i32.const 16))))
      (if (i32.ne (call $byte (local.get $at)) (i32.const 0x22))
        (then
          (call $close (call $lineEnd (local.get $at)))
          (return (i32.const 1))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (local.set $type (call $typeAt (local.get $at)))
      (if (i32.eq (local.get $type) (i32.const -1))
        (then
          (global.set $textStart (local.get $at))
          (return (i32.const 4))))
      (global.set $type (local.get $type))
      (local.set $at (i32.add (local.get $at) (i32.add (i32.load (local.get $type)) (i32.const 1))))
      (local.set $todo (i32.load offset=12 (local.get $type)))
      ;; Left, counted, told.
      (if (i32.lt_u (local.get $todo) (i32.const 3))
        (then
          (call $close (call $lineEnd (local.get $at)))
          (if (i32.or
                (i32.eqz (local.get $todo))
                (i32.ne (call $byte (i32.sub (global.get $end) (i32.const 1))) (i32.const 0x7d)))
            (then (return (i32.const 1))))
          (if (i32.eq (local.get $todo) (i32.const 2)) (then (return (i32.const 3))))
          (call $count (local.get $type))
          (br $lines)))
      (call $close (call $look (local.get $at) (local.get $type)))
      (if (i32.or
            (global.get $isOpen)
            (i32.ne (call $byte (i32.sub (global.get $end) (i32.const 1))) (i32.const 0x7d)))
        (then (return (i32.const 1))))
      (local.set $id (call $idAt (local.get $at)))
      (if (i32.eqz (local.get $id)) (then (return (i32.const 1))))
      (local.set $idEnd (call $plainEnd (local.get $id) (global.get $end)))
      (if (i32.eqz (local.get $idEnd)) (then (return (i32.const 1))))
      (local.set $mark (f64.const 0))
      (local.set $owner (i32.const 0))
      ;; The Patient
      (if (i32.eq (local.get $todo) (i32.const 3))
        (then
          (if (i32.ne (global.get $ids) (i32.const 1)) (then (return (i32.const 1))))
          (local.set $mark (call $mark (local.get $id) (local.get $idEnd) (i32.const 0)))))
      ;; What names a patient
      (if (i32.eq (local.get $todo) (i32.const 4))
        (then
          (if (i32.le_s (global.get $owner) (i32.const 0)) (then (return (i32.const 1))))
          (local.set $owner (call $referenceAt (global.get $owner)))
          (if (i32.eqz (local.get $owner)) (then (return (i32.const 1))))
          (local.set $ownerEnd (call $plainEnd (local.get $owner) (global.get $end)))
          (if (i32.eqz (local.get $ownerEnd)) (then (return (i32.const 1))))
          (if (i32.eqz (call $isOnly (local.get $ownerEnd) (global.get $end)))
            (then (return (i32.const 1))))
          (local.set $mark (call $mark
            (call $tail (local.get $owner) (local.get $ownerEnd))
            (local.get $ownerEnd)
            (i32.const 0)))))
      (call $count (local.get $type))
      (local.set $record (global.get $record))
      (i32.store (local.get $record) (global.get $piece))
      (i32.store offset=4 (local.get $record) (global.get $line))
      (f64.store offset=8 (local.get $record)
        (f64.add (global.get $base) (f64.convert_i32_u (global.get $start))))
      (i32.store offset=16 (local.get $record) (i32.sub (global.get $end) (global.get $start)))
      (i32.store8 offset=20 (local.get $record) (i32.load offset=16 (local.get $type)))
      (f64.store offset=21 (local.get $record) (local.get $mark))
      (f64.store offset=29 (local.get $record)
        (call $mark (local.get $id) (local.get $idEnd) (i32.load offset=8 (local.get $type))))
      (i32.store offset=37 (local.get $record) (i32.const 0))
      (global.set $record (i32.add (local.get $record) (i32.const 41)))
      (br_if $lines (i32.eqz (local.get $owner)))
      (if (i32.eq (call $byte (local.get $owner)) (i32.const 0x68)) ;; h
        (then
          (global.set $textStart (local.get $owner))
          (global.set $textEnd (local.get $ownerEnd))
          (return (i32.const 2))))
      (br $lines))
    (unreachable)))
