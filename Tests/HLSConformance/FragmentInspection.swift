/// The contents of an initialization section about its one track.
struct InitializationInspection {
    var timescale: UInt32 = 0
    /// `vide` or `soun`.
    var handler = ""
    /// `avc1`, `mp4a`.
    var sampleEntry = ""
    var defaultDuration: UInt32 = 0
    var defaultFlags: UInt32 = 0

    init?(_ bytes: [UInt8]) {
        guard let movie = Box.first("moov", in: bytes[...]), let media = Box.path(["trak", "mdia"], in: movie) else {
            return nil
        }
        if let header = Box.first("mdhd", in: media) {
            timescale = header.integer32(at: header.byte(at: 0) == 1 ? 20 : 12)
        }
        if let reference = Box.first("hdlr", in: media) { handler = reference.text(at: 8) }
        if let table = Box.path(["minf", "stbl", "stsd"], in: media) { sampleEntry = table.text(at: 12) }
        if let defaults = Box.path(["mvex", "trex"], in: movie) {
            defaultDuration = defaults.integer32(at: 12)
            defaultFlags = defaults.integer32(at: 20)
        }
    }
}

/// The times of a segment's fragments: their start and duration, in the track's timescale.
struct FragmentInspection {
    var decodeTime: UInt64 = 0
    var duration: UInt64 = 0
    var longestSample: UInt64 = 0
    var sampleCount = 0
    var startsWithSyncSample = false
    /// A run without fields per sample may claim any count; this is an hour of audio frames.
    private static let maximumSampleCount = 1 << 18

    /// Whether each fragment's decode time continues the one before it.
    var isContinuous = true

    /// - Returns: `nil` where the bytes hold no movie fragment.
    init?(_ bytes: [UInt8], in track: InitializationInspection) {
        var fragmentCount = 0
        for fragment in Box.all("moof", in: bytes[...]) {
            guard let run = Box.first("traf", in: fragment), let time = Box.first("tfdt", in: run) else { return nil }
            let start = time.byte(at: 0) == 1 ? time.integer64(at: 4) : UInt64(time.integer32(at: 4))
            if fragmentCount == 0 {
                decodeTime = start
            } else if start != decodeTime &+ duration {
                isContinuous = false
            }
            let defaults = SampleDefaults(Box.first("tfhd", in: run), track)
            for samples in Box.all("trun", in: run) { add(samples, defaults) }
            fragmentCount += 1
        }
        guard fragmentCount > 0 else { return nil }
    }

    private mutating func add(_ run: ArraySlice<UInt8>, _ defaults: SampleDefaults) {
        let flags = run.integer32(at: 0) & 0xFFFFFF
        var offset = 8
        if flags & 0x1 != 0 { offset += 4 }
        var firstFlags: UInt32?
        if flags & 0x4 != 0 {
            firstFlags = run.integer32(at: offset)
            offset += 4
        }
        let fieldCount = [0x100, 0x200, 0x400, 0x800].filter { flags & $0 != 0 }.count
        let possibleCount = fieldCount == 0 ? Self.maximumSampleCount : run.count / (fieldCount * 4)
        for index in 0..<min(Int(run.integer32(at: 4)), possibleCount) {
            let length = flags & 0x100 != 0 ? run.integer32(at: offset) : defaults.duration
            let flagsOffset = offset + [UInt32(0x100), 0x200].filter { flags & $0 != 0 }.count * 4
            var sampleFlags = flags & 0x400 != 0 ? run.integer32(at: flagsOffset) : defaults.flags
            if index == 0, let firstFlags { sampleFlags = firstFlags }
            if sampleCount == 0 { startsWithSyncSample = sampleFlags & 0x1_0000 == 0 }
            duration &+= UInt64(length)
            longestSample = max(longestSample, UInt64(length))
            sampleCount += 1
            offset += fieldCount * 4
        }
    }
}

/// ISO/IEC 14496-12 8.8.7: a track fragment's defaults, which fall back to the movie's.
private struct SampleDefaults {
    var duration: UInt32
    var flags: UInt32

    init(_ header: ArraySlice<UInt8>?, _ track: InitializationInspection) {
        (duration, flags) = (track.defaultDuration, track.defaultFlags)
        guard let header else { return }
        let present = header.integer32(at: 0)
        var offset = 8
        if present & 0x1 != 0 { offset += 8 }
        if present & 0x2 != 0 { offset += 4 }
        if present & 0x8 != 0 {
            duration = header.integer32(at: offset)
            offset += 4
        }
        if present & 0x10 != 0 { offset += 4 }
        if present & 0x20 != 0 { flags = header.integer32(at: offset) }
    }
}

/// Payloads of boxes, by four-character code.
private enum Box {
    static func all(_ type: String, in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var rest = bytes
        while rest.count >= 8 {
            let size = Int(rest.integer32(at: 0))
            guard size >= 8, size <= rest.count else { return found }
            if rest.text(at: 4) == type { found.append(rest.dropFirst(8).prefix(size - 8)) }
            rest = rest.dropFirst(size)
        }
        return found
    }

    static func first(_ type: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? { all(type, in: bytes).first }

    static func path(_ types: [String], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        types.reduce(bytes) { parent, type in parent.flatMap { first(type, in: $0) } }
    }
}

/// Reads that give zero beyond the end: a checker reports broken bytes, it does not trap on them.
extension ArraySlice<UInt8> {
    fileprivate func byte(at offset: Int) -> UInt8 { offset < count ? self[startIndex + offset] : 0 }
    fileprivate func integer32(at offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(byte(at: offset + $1)) }
    }
    fileprivate func integer64(at offset: Int) -> UInt64 {
        UInt64(integer32(at: offset)) << 32 | UInt64(integer32(at: offset + 4))
    }
    fileprivate func text(at offset: Int) -> String {
        String(decoding: (0..<4).map { byte(at: offset + $0) }, as: UTF8.self)
    }
}
