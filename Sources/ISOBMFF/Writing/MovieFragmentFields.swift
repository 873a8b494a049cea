import MediaCore
package import NIOCore

/// The fields of an Antena `moof` that state its place in a file. They are the only difference between a rendition's
/// fragment and the same fragment in a file of several tracks.
package struct MovieFragmentFields: Sendable, Hashable {
    /// Sequence number in `mfhd` (ISO/IEC 14496-12 §8.8.5).
    package var sequenceNumber: UInt32
    /// Track number in `tfhd` (ISO/IEC 14496-12 §8.8.7).
    package var trackID: UInt32
    /// Decode time in `tfdt` (ISO/IEC 14496-12 §8.8.12), in the track's timescale.
    package var decodeTime: Int64

    // Offsets from the start of a `moof` that ``FragmentLayout`` has written: mfhd, traf, tfhd, tfdt.
    private static let sequenceNumberOffset = 20
    private static let trackFragmentHeaderOffset = 32
    private static let trackIDOffset = trackFragmentHeaderOffset + 12

    package init(sequenceNumber: UInt32, trackID: UInt32, decodeTime: Int64) {
        self.sequenceNumber = sequenceNumber
        self.trackID = trackID
        self.decodeTime = decodeTime
    }

    /// Reads the fields of a fragment; `nil` if ``FragmentLayout`` did not write it.
    ///
    /// - Parameters:
    ///   - buffer: a buffer that contains the fragment.
    ///   - offset: position of the `moof`, from the first readable byte.
    package init?(_ buffer: ByteBuffer, at offset: Int) {
        let start = buffer.readerIndex + offset
        guard let decodeTimeOffset = Self.decodeTimeOffset(in: buffer, at: start),
            let sequenceNumber = buffer.getInteger(at: start + Self.sequenceNumberOffset, as: UInt32.self),
            let trackID = buffer.getInteger(at: start + Self.trackIDOffset, as: UInt32.self),
            let decodeTime = buffer.getInteger(at: start + decodeTimeOffset, as: Int64.self)
        else { return nil }
        self.init(sequenceNumber: sequenceNumber, trackID: trackID, decodeTime: decodeTime)
    }

    /// Writes the fields into a fragment. Does nothing if ``FragmentLayout`` did not write it.
    package func write(into buffer: inout ByteBuffer, at offset: Int) {
        let start = buffer.readerIndex + offset
        guard let decodeTimeOffset = Self.decodeTimeOffset(in: buffer, at: start) else { return }
        buffer.setInteger(sequenceNumber, at: start + Self.sequenceNumberOffset)
        buffer.setInteger(trackID, at: start + Self.trackIDOffset)
        buffer.setInteger(decodeTime, at: start + decodeTimeOffset)
    }

    /// Offset of the decode time from the start of the `moof`; `nil` if ``FragmentLayout`` did not write it.
    private static func decodeTimeOffset(in buffer: ByteBuffer, at start: Int) -> Int? {
        func isBox(_ type: FourCC, at offset: Int) -> Bool {
            buffer.getInteger(at: start + offset + 4, as: UInt32.self) == type.rawValue
        }
        guard isBox("moof", at: 0), isBox("mfhd", at: 8), isBox("traf", at: 24),
            isBox("tfhd", at: trackFragmentHeaderOffset),
            let headerByteCount = buffer.getInteger(at: start + trackFragmentHeaderOffset, as: UInt32.self),
            headerByteCount <= 64
        else { return nil }
        let offset = trackFragmentHeaderOffset + Int(headerByteCount)
        // Version 1 has a 64-bit decode time.
        guard isBox("tfdt", at: offset), buffer.getInteger(at: start + offset + 8, as: UInt8.self) == 1 else {
            return nil
        }
        return offset + 12
    }

    /// Positions of a segment's fragments, from its first readable byte.
    ///
    /// - Returns: `nil` if the segment contains anything but alternating `moof` and `mdat` boxes, with events before
    ///   them.
    package static func offsets(in segment: ByteBuffer) -> [Int]? { boxes(in: segment)?.fragments }

    /// Moves all fragments of a segment to another place in a file, and its events with them.
    ///
    /// - Parameters:
    ///   - segment: the segment to change.
    ///   - trackID: number of the track that they become part of.
    ///   - shift: ticks to add to all times.
    ///   - sequenceNumber: number of the first fragment; the following ones count on.
    /// - Returns: the number of fragments; `nil`, without any change, if Antena did not write them.
    package static func move(
        _ segment: inout ByteBuffer, toTrack trackID: UInt32, shiftedBy shift: Int64, from sequenceNumber: UInt32
    ) -> Int? {
        guard let boxes = boxes(in: segment) else { return nil }
        let found = boxes.fragments.compactMap { MovieFragmentFields(segment, at: $0) }
        guard found.count == boxes.fragments.count else { return nil }
        for (position, (fields, offset)) in zip(found, boxes.fragments).enumerated() {
            MovieFragmentFields(
                sequenceNumber: sequenceNumber &+ UInt32(clamping: position), trackID: trackID,
                decodeTime: fields.decodeTime.addingSaturating(shift)
            ).write(into: &segment, at: offset)
        }
        for offset in boxes.events { EventMessage.shift(by: shift, in: &segment, at: offset) }
        return found.count
    }

    /// Moves the header of a single fragment: events and one `moof`, without the `mdat` that follows.
    ///
    /// - Returns: false, without any change, if Antena did not write it.
    package static func moveHeader(
        _ header: inout ByteBuffer, toTrack trackID: UInt32, shiftedBy shift: Int64, sequenceNumber: UInt32
    ) -> Bool {
        var events: [Int] = []
        var offset = 0
        while EventMessage.isWritten(header, at: offset), let byteCount = eventByteCount(in: header, at: offset) {
            events.append(offset)
            offset += byteCount
        }
        guard let fields = MovieFragmentFields(header, at: offset) else { return false }
        MovieFragmentFields(
            sequenceNumber: sequenceNumber, trackID: trackID, decodeTime: fields.decodeTime.addingSaturating(shift)
        ).write(into: &header, at: offset)
        for event in events { EventMessage.shift(by: shift, in: &header, at: event) }
        return true
    }

    private static func eventByteCount(in header: ByteBuffer, at offset: Int) -> Int? {
        let start = header.readerIndex + offset
        guard let size = header.getInteger(at: start, as: UInt32.self), size >= 8,
            header.getInteger(at: start + 4, as: UInt32.self) == FourCC("emsg").rawValue,
            Int(size) <= header.readableBytes - offset
        else { return nil }
        return Int(size)
    }

    private static func boxes(in segment: ByteBuffer) -> (fragments: [Int], events: [Int])? {
        var (fragments, events): ([Int], [Int]) = ([], [])
        var offset = 0
        func size(of type: FourCC) -> Int? {
            let start = segment.readerIndex + offset
            guard let size = segment.getInteger(at: start, as: UInt32.self), size >= 8,
                segment.getInteger(at: start + 4, as: UInt32.self) == type.rawValue,
                Int(size) <= segment.readableBytes - offset
            else { return nil }
            return Int(size)
        }
        while offset < segment.readableBytes {
            if let byteCount = size(of: "emsg") {
                guard EventMessage.isWritten(segment, at: offset) else { return nil }
                events.append(offset)
                offset += byteCount
                continue
            }
            fragments.append(offset)
            for type: FourCC in ["moof", "mdat"] {
                guard let byteCount = size(of: type) else { return nil }
                offset += byteCount
            }
        }
        return (fragments, events)
    }
}
