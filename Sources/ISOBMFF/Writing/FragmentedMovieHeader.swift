import MediaCore
package import NIOCore

/// The `ftyp` and `moov` of a file that holds the fragments of several renditions: the tracks of their initialization
/// sections, renumbered from 1.
package struct FragmentedMovieHeader: Sendable {
    /// Initialization sections as ``MediaInitializationSection`` writes them, with one track each.
    package var sections: [ByteBuffer]
    /// Title that players and the library display; `nil` for none.
    package var title: String?

    /// Limit on the length of a title in bytes; longer titles are cut, also by readers.
    static let maximumTitleByteCount = 1_024

    package init(sections: [ByteBuffer], title: String? = nil) {
        self.sections = sections
        self.title = title
    }

    /// Track number in the file.
    ///
    /// - Parameter index: index of the rendition in `sections`.
    package static func trackID(at index: Int) -> UInt32 { UInt32(clamping: index + 1) }

    /// Renders the header.
    ///
    /// - Returns: `nil` if there are no sections, or if one of them was not written by
    ///   ``MediaInitializationSection``.
    package func rendered() -> ByteBuffer? {
        guard let first = sections.first, let fileType = Self.box("ftyp", in: first, 0..<first.readableBytes),
            let movie = Self.box("moov", in: first, fileType.upperBound..<first.readableBytes),
            var movieHeader = Self.child("mvhd", of: movie, in: first),
            var result = first.getSlice(at: first.readerIndex, length: fileType.upperBound)
        else { return nil }
        // next_track_ID is the last field of `mvhd` (ISO/IEC 14496-12 §8.2.2).
        movieHeader.setInteger(Self.trackID(at: sections.count), at: movieHeader.writerIndex - 4)
        let tracks = sections.indices.compactMap { Self.track(in: sections[$0], trackID: Self.trackID(at: $0)) }
        guard tracks.count == sections.count else { return nil }
        result.writeBox("moov") { buffer in
            buffer.writeImmutableBuffer(movieHeader)
            for track in tracks { buffer.writeImmutableBuffer(track) }
            buffer.writeBox("mvex") { buffer in
                for index in tracks.indices {
                    buffer.writeFullBox("trex") { buffer in
                        buffer.writeMultipleIntegers(
                            Self.trackID(at: index), UInt32(1), UInt32(0), UInt32(0), UInt32(0))
                    }
                }
            }
            if let title { Self.write(title: title, into: &buffer) }
        }
        return result
    }

    /// The section's `trak` with another track number; `nil` if it cannot be found.
    private static func track(in section: ByteBuffer, trackID: UInt32) -> ByteBuffer? {
        guard let fileType = box("ftyp", in: section, 0..<section.readableBytes),
            let movie = box("moov", in: section, fileType.upperBound..<section.readableBytes),
            var track = child("trak", of: movie, in: section),
            // Version 0 of `tkhd` has two 32-bit times before the track number (ISO/IEC 14496-12 §8.3.2).
            track.getInteger(at: track.readerIndex + 12, as: UInt32.self) == FourCC("tkhd").rawValue,
            track.getInteger(at: track.readerIndex + 16, as: UInt8.self) == 0, track.readableBytes >= 32
        else { return nil }
        track.setInteger(trackID, at: track.readerIndex + 28)
        return track
    }

    private static func child(_ type: FourCC, of parent: Range<Int>, in buffer: ByteBuffer) -> ByteBuffer? {
        box(type, in: buffer, parent.lowerBound + 8..<parent.upperBound).flatMap {
            buffer.getSlice(at: buffer.readerIndex + $0.lowerBound, length: $0.count)
        }
    }

    /// The first box of a type, as a range of offsets from the first readable byte; `nil` if there is none.
    private static func box(_ type: FourCC, in buffer: ByteBuffer, _ range: Range<Int>) -> Range<Int>? {
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            guard let size = buffer.getInteger(at: buffer.readerIndex + offset, as: UInt32.self),
                let found = buffer.getInteger(at: buffer.readerIndex + offset + 4, as: UInt32.self),
                size >= 8, Int(size) <= range.upperBound - offset
            else { return nil }
            if found == type.rawValue { return offset..<offset + Int(size) }
            offset += Int(size)
        }
        return nil
    }

    /// Writes iTunes-style metadata: `udta`/`meta`/`ilst`/`©nam`/`data`, in UTF-8 (type 1).
    private static func write(title: String, into buffer: inout ByteBuffer) {
        let text = title.utf8.count <= maximumTitleByteCount ? title : String(title.prefix(maximumTitleByteCount / 4))
        buffer.writeBox("udta") { buffer in
            buffer.writeFullBox("meta") { buffer in
                buffer.writeFullBox("hdlr") { buffer in
                    buffer.writeMultipleIntegers(UInt32(0), FourCC("mdir").rawValue, FourCC("appl").rawValue)
                    buffer.writeMultipleIntegers(UInt32(0), UInt32(0), UInt8(0))
                }
                buffer.writeBox("ilst") { buffer in
                    buffer.writeBox(FourCC(rawValue: 0xA96E_616D)) { buffer in
                        buffer.writeBox("data") { buffer in
                            buffer.writeMultipleIntegers(UInt32(1), UInt32(0))
                            buffer.writeString(text)
                        }
                    }
                }
            }
        }
    }
}
