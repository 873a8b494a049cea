import Glibc

/// The bytes of a file, or a range of them, in which a tag is looked for.
struct TagBytes {
    /// The number of bytes of the range.
    let byteCount: Int
    private let start: Int
    private let read: (_ offset: Int, _ count: Int) -> [UInt8]?

    private init(start: Int, byteCount: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?) {
        (self.start, self.byteCount, self.read) = (start, byteCount, read)
    }

    /// Creates a range that lies in memory.
    init(_ bytes: [UInt8]) {
        self.init(start: 0, byteCount: bytes.count) { offset, count in Array(bytes[offset..<offset + count]) }
    }

    /// Opens a file for as long as `body` runs; it gets a range without bytes if the file cannot be read.
    static func withFile<Value>(at path: String, _ body: (TagBytes) -> Value) -> Value {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return body(TagBytes([])) }
        defer { close(descriptor) }
        return body(
            TagBytes(start: 0, byteCount: Int(max(0, lseek(descriptor, 0, SEEK_END)))) { offset, count in
                var bytes = [UInt8](repeating: 0, count: count)
                return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
            })
    }

    /// Returns `count` bytes at an offset; `nil` if they do not lie in the range.
    func bytes(_ offset: Int, _ count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, count <= byteCount, offset <= byteCount - count else { return nil }
        return read(start + offset, count)
    }

    /// Returns the range of at most `count` bytes at an offset; `nil` if it does not begin in this one.
    func part(_ offset: Int, _ count: Int) -> TagBytes? {
        guard offset >= 0, count >= 0, offset <= byteCount else { return nil }
        return TagBytes(start: start + offset, byteCount: min(count, byteCount - offset), read: read)
    }
}

extension Collection where Element == UInt8 {
    /// The number that the bytes are, the most significant first; at most eight bytes count, and what does not fit
    /// into an `Int` is its largest value.
    var bigEndian: Int { Int(clamping: prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) }
}

extension BidirectionalCollection where Element == UInt8 {
    /// The number that the bytes are, the least significant first, within the same bounds.
    var littleEndian: Int { Array(reversed()).bigEndian }
}
