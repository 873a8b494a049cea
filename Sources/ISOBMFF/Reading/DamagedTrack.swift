import MediaCore
import NIOCore

/// A track that no reader can make sense of, and the place of its box in the file.
package struct DamagedTrack: Sendable, Hashable {
    /// Offset of the `trak` box, in bytes from the start of the file.
    package var boxOffset: Int64
    /// The human-readable name of the track and its problem.
    package var text: String

    static func text(ofTrackOfUnknownKind error: ISOBMFFError) -> String { "a track that cannot be read: \(error)" }
}

extension MovieIndex {
    /// Finds the tracks whose boxes contradict themselves, or that lack a sample description. Other readers may refuse
    /// the whole file because of them.
    ///
    /// - Throws: ``ISOBMFFError`` if the file's boxes or its movie header cannot be read; whatever `file` throws.
    package static func damagedTracks(in file: some RandomAccessData) throws -> [DamagedTrack] {
        let boxes = try MovieContents(of: file).boxes
        guard let header = boxes.first("mvhd") else { return [] }
        var (version, _, fields) = try header.fullBox()
        let timescale = try fields.readTimescaleAndDuration(version: version, of: header).timescale
        return boxes.filter { $0.type == "trak" }.prefix(maximumTrackCount).compactMap { box in
            damage(of: box, movieTimescale: timescale, fileByteCount: file.byteCount).map { text in
                DamagedTrack(boxOffset: box.header.offset, text: text)
            }
        }
    }

    /// - Returns: `nil` for an audio track, and for one whose samples lie beyond the end of the file.
    private static func damage(of box: Box, movieTimescale: Timescale, fileByteCount: Int64) -> String? {
        func parse(_ policy: DamagedTrackPolicy) throws(ISOBMFFError) -> MovieTrack? {
            try TrackBoxParser(
                box: box, movieTimescale: movieTimescale, fileByteCount: fileByteCount,
                sampleLimit: SampleLimit(SampleTable.maximumSampleCount), damagedTracks: policy
            ).parse()
        }
        do throws(ISOBMFFError) {
            if try parse(.refuse) == nil { try requireSampleDescription(in: box) }
            return nil
        } catch {
            guard error.concernsOneTrack else { return nil }
            return (try? parse(.leaveOut))?.leftOutText ?? DamagedTrack.text(ofTrackOfUnknownKind: error)
        }
    }

    /// The one thing that readers want of subtitles and data as well (ISO/IEC 14496-12 §8.5.2).
    private static func requireSampleDescription(in track: Box) throws(ISOBMFFError) {
        var box = track
        for type in ["mdia", "minf", "stbl", "stsd"] as [FourCC] {
            box = try (try box.children()).required(type, in: box)
        }
        var fields = try box.fullBox().rest
        guard try fields.readField(UInt32.self, of: box) > 0 else { throw box.invalid("has no sample entry") }
    }
}
