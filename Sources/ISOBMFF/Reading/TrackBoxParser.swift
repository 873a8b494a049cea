import Codecs
import MediaCore
import NIOCore

/// Parses one `trak` (ISO/IEC 14496-12 §8.3).
struct TrackBoxParser {
    let box: Box
    let movieTimescale: Timescale
    let fileByteCount: Int64
    /// How many samples the movie may still have.
    let sampleLimit: SampleLimit

    /// `nil` for a track that is neither video nor audio, such as a chapter list or a hint track.
    func parse() throws(ISOBMFFError) -> MovieTrack? {
        let children = try box.children()
        let (trackID, matrix) = try parseTrackHeader(try children.required("tkhd", in: box))
        let media = try children.required("mdia", in: box)
        let mediaChildren = try media.children()
        let mediaHeader = try mediaChildren.required("mdhd", in: media)
        let (timescale, language) = try parseMediaHeader(mediaHeader)
        guard let mediaType = try parseHandler(try mediaChildren.required("hdlr", in: media)) else { return nil }
        let information = try mediaChildren.required("minf", in: media)
        let table = try (try information.children()).required("stbl", in: information)
        let tableChildren = try table.children()
        let description = try tableChildren.required("stsd", in: table)
        let codec = try SampleEntryParser(box: description, mediaType: mediaType).parse()
        var samples = SampleTable()
        if case .supported = codec {
            samples = try SampleTable(parsing: table, fileByteCount: fileByteCount, limit: sampleLimit)
        }
        var edit = PresentationEdit(emptyDuration: .zero(movieTimescale), mediaTime: 0)
        if let editBox = children.first("edts"), let list = try editBox.children().first("elst") {
            edit = try parseEditList(list)
        }
        return MovieTrack(
            track: Track(id: trackID, mediaType: mediaType, timescale: timescale, language: language),
            codec: codec, samples: samples, edit: edit, displayMatrix: matrix)
    }

    private func parseTrackHeader(_ box: Box) throws(ISOBMFFError) -> (UInt32, DisplayMatrix) {
        var (version, _, rest) = try box.fullBox()
        try rest.skipField(version == 1 ? 16 : 8, of: box)
        let trackID = try rest.readField(UInt32.self, of: box)
        try rest.skipField((version == 1 ? 12 : 8) + 16, of: box)
        var matrix: [UInt32] = []
        for _ in 0..<9 { matrix.append(try rest.readField(UInt32.self, of: box)) }
        return (trackID, DisplayMatrix(values: matrix))
    }

    private func parseMediaHeader(_ box: Box) throws(ISOBMFFError) -> (Timescale, String?) {
        var (version, _, rest) = try box.fullBox()
        let duration = try rest.readTimescaleAndDuration(version: version, of: box)
        let packed = try rest.readField(UInt16.self, of: box)
        return (duration.timescale, Self.language(packed: packed))
    }

    /// Three letters of five bits (§8.4.2.3); `und` and QuickTime's small language codes say nothing.
    private static func language(packed: UInt16) -> String? {
        let letters = [10, 5, 0].map { UInt8(packed >> UInt16($0) & 0x1F) + 0x60 }
        guard letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
        let code = String(decoding: letters, as: UTF8.self)
        return code == "und" ? nil : code
    }

    private func parseHandler(_ box: Box) throws(ISOBMFFError) -> MediaType? {
        var rest = try box.fullBox().rest
        try rest.skipField(4, of: box)
        switch FourCC(rawValue: try rest.readField(UInt32.self, of: box)) {
        case "vide": return .video
        case "soun": return .audio
        default: return nil
        }
    }

    /// elst (§8.6.6): empty edits, then one media edit.
    private func parseEditList(_ box: Box) throws(ISOBMFFError) -> PresentationEdit {
        var (version, _, rest) = try box.fullBox()
        let count = Int(try rest.readField(UInt32.self, of: box))
        guard count * (version == 1 ? 20 : 12) <= rest.readableBytes else {
            throw box.invalid("claims \(count) edits, but has \(rest.readableBytes) bytes for them")
        }
        var emptyDuration: Int64 = 0
        var mediaTime: Int64?
        for _ in 0..<count {
            let isWide = version == 1
            let duration =
                isWide
                ? Int64(clamping: try rest.readField(UInt64.self, of: box))
                : Int64(try rest.readField(UInt32.self, of: box))
            let start =
                isWide ? try rest.readField(Int64.self, of: box) : Int64(try rest.readField(Int32.self, of: box))
            let rate = try rest.readField(UInt32.self, of: box)
            guard start != -1 else {
                if mediaTime == nil { emptyDuration = emptyDuration.addingSaturating(duration) }
                continue
            }
            guard mediaTime == nil, rate == 0x10000, start >= 0 else {
                throw ISOBMFFError(
                    .unsupported, box: box.type, at: box.header.offset, "an edit list that cuts or repeats")
            }
            mediaTime = start
        }
        return PresentationEdit(
            emptyDuration: MediaTime(value: emptyDuration, timescale: movieTimescale), mediaTime: mediaTime ?? 0)
    }
}
