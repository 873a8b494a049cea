import NIOCore

/// The times of the first samples of a segment, by track (`tfdt`, ISO/IEC 14496-12 §8.8.12).
struct FragmentStarts {
    private(set) var times: [UInt32: Int64] = [:]

    init(_ segment: ByteBuffer) {
        for fragment in Self.boxes(segment) where fragment.type == "moof" {
            for track in Self.boxes(fragment.content) where track.type == "traf" { read(track.content) }
        }
    }

    private mutating func read(_ track: ByteBuffer) {
        var (identifier, time) = (UInt32?.none, Int64?.none)
        for var box in Self.boxes(track) {
            guard box.type == "tfhd" || box.type == "tfdt", let head = box.content.readInteger(as: UInt32.self) else {
                continue
            }
            if box.type == "tfhd" {
                identifier = box.content.readInteger(as: UInt32.self)
            } else if head >> 24 == 1 {
                time = box.content.readInteger(as: UInt64.self).map { Int64(clamping: $0) }
            } else {
                time = box.content.readInteger(as: UInt32.self).map { Int64($0) }
            }
        }
        guard let identifier, let time, times[identifier] == nil else { return }
        times[identifier] = time
    }

    /// The boxes in some bytes; those behind a damaged one are left out.
    private static func boxes(_ bytes: ByteBuffer) -> [(type: String, content: ByteBuffer)] {
        var (bytes, found) = (bytes, [(type: String, content: ByteBuffer)]())
        while let size = bytes.readInteger(as: UInt32.self), let type = bytes.readString(length: 4) {
            var length = Int(size) - 8
            if size == 1 {
                guard let large = bytes.readInteger(as: UInt64.self), large <= UInt64(Int32.max) else { return found }
                length = Int(large) - 16
            } else if size == 0 {
                length = bytes.readableBytes
            }
            guard length >= 0, let content = bytes.readSlice(length: length) else { return found }
            found.append((type, content))
        }
        return found
    }
}
