import Codecs
import MediaCore
import NIOCore

/// Collects the samples of a fragmented file, one `moof` after another (ISO/IEC 14496-12 §8.8).
struct FragmentedTracks {
    private(set) var tracks: [MovieTrack]
    private let trackExtends: [UInt32: TrackExtends]
    /// Decode times expected for the next samples, indexed like `tracks`.
    private var nextDecodeTimes: [Int64]
    /// The decode times of the first fragments, indexed like `tracks`; `nil` before.
    private var firstDecodeTimes: [Int64?]
    /// Number of samples of all tracks.
    private var sampleCount: Int

    private static let nonSyncFlag: UInt32 = 0x1_0000

    init(_ movie: ParsedMovie) {
        tracks = movie.index.tracks
        trackExtends = movie.trackExtends
        nextDecodeTimes = tracks.map(\.samples.durations.total)
        firstDecodeTimes = tracks.map { $0.samples.count > 0 ? 0 : nil }
        sampleCount = tracks.reduce(0) { $0 + $1.samples.count }
    }

    /// The earliest date that counts, in milliseconds since 1970: the first of January 2000. Some encoders write
    /// presentation times in place of dates.
    private static let earliestDate: Int64 = 946_684_800_000

    /// Notes the date of the fragment that follows.
    mutating func note(_ reference: ProducerReferenceTime) {
        let date = reference.time.wallClockTime
        guard date.millisecondsSince1970 >= Self.earliestDate,
            let position = tracks.firstIndex(where: { $0.track.id == reference.trackID })
        else { return }
        let first = firstDecodeTimes[position] ?? reference.decodeTime
        firstDecodeTimes[position] = first
        let time = MediaTime(
            value: reference.decodeTime.subtractingSaturating(first), timescale: tracks[position].track.timescale)
        tracks[position].dates.note(date, at: time)
    }

    mutating func append(_ movieFragment: Box, fileByteCount: Int64) throws(ISOBMFFError) {
        // Without an explicit offset, data starts at the moof and continues from track to track (ISO/IEC 14496-12
        // §8.8.7).
        var implicitOffset = movieFragment.header.offset
        for box in try movieFragment.children() where box.type == "traf" {
            try appendTrackFragment(
                box, movieFragmentOffset: movieFragment.header.offset, implicitOffset: &implicitOffset,
                fileByteCount: fileByteCount)
        }
    }

    private mutating func appendTrackFragment(
        _ box: Box, movieFragmentOffset: Int64, implicitOffset: inout Int64, fileByteCount: Int64
    ) throws(ISOBMFFError) {
        let children = try box.children()
        let headerBox = try children.required("tfhd", in: box)
        let header = try TrackFragmentHeader(parsing: headerBox, trackExtends: trackExtends)
        guard let position = tracks.firstIndex(where: { $0.track.id == header.trackID }) else { return }
        var offset = header.baseOffset ?? (header.isBaseMovieFragment ? movieFragmentOffset : implicitOffset)
        let base = offset
        if let tfdt = children.first("tfdt") { try align(position, to: try parseDecodeTime(tfdt)) }
        for run in children where run.type == "trun" {
            try appendRun(
                run, header: header, base: base, offset: &offset, position: position, fileByteCount: fileByteCount)
        }
        implicitOffset = offset
    }

    /// Moves the track's time forward to a fragment's decode time. A gap lengthens the previous sample; in the first
    /// fragment it delays the start of the track.
    private mutating func align(_ position: Int, to decodeTime: Int64) throws(ISOBMFFError) {
        firstDecodeTimes[position] = firstDecodeTimes[position] ?? decodeTime
        let gap = decodeTime.subtractingSaturating(nextDecodeTimes[position])
        guard gap > 0 else { return }
        nextDecodeTimes[position] = decodeTime
        guard let last = tracks[position].samples.durations.last else {
            let timescale = tracks[position].track.timescale
            let start = MediaTime(value: decodeTime, timescale: timescale)
                .converted(to: tracks[position].edit.emptyDuration.timescale)
            tracks[position].edit.emptyDuration = tracks[position].edit.emptyDuration + start
            return
        }
        tracks[position].samples.durations.replaceLast(with: UInt32(clamping: Int64(last).addingSaturating(gap)))
    }

    private func parseDecodeTime(_ box: Box) throws(ISOBMFFError) -> Int64 {
        var (version, _, rest) = try box.fullBox()
        return version == 1
            ? Int64(clamping: try rest.readField(UInt64.self, of: box))
            : Int64(try rest.readField(UInt32.self, of: box))
    }

    /// Parses `trun` (ISO/IEC 14496-12 §8.8.8).
    private mutating func appendRun(
        _ box: Box, header: TrackFragmentHeader, base: Int64, offset: inout Int64, position: Int, fileByteCount: Int64
    ) throws(ISOBMFFError) {
        var (_, flags, rest) = try box.fullBox()
        let count = Int(try rest.readField(UInt32.self, of: box))
        if flags & 0x1 != 0 {
            offset = base.addingSaturating(Int64(try rest.readField(Int32.self, of: box)))
        }
        let firstFlags = flags & 0x4 != 0 ? try rest.readField(UInt32.self, of: box) : nil
        let fieldCount = [0x100, 0x200, 0x400, 0x800].count { flags & UInt32($0) != 0 }
        guard count * fieldCount * 4 <= rest.readableBytes else {
            throw box.invalid("claims \(count) samples, but has \(rest.readableBytes) bytes for them")
        }
        guard sampleCount + count <= SampleTable.maximumSampleCount else {
            throw ISOBMFFError(
                .limitExceeded, box: box.type, at: box.header.offset,
                "the movie has more than \(SampleTable.maximumSampleCount) samples")
        }
        guard tracks[position].configuration != nil else { return }
        // Without this check, a few bytes could create millions of samples without data.
        guard flags & 0x200 != 0 || header.defaultByteCount > 0 || count == 0 else {
            throw box.invalid("does not give its \(count) samples a size")
        }
        for index in 0..<count {
            let duration = flags & 0x100 != 0 ? try rest.readField(UInt32.self, of: box) : header.defaultDuration
            let byteCount = flags & 0x200 != 0 ? try rest.readField(UInt32.self, of: box) : header.defaultByteCount
            var sampleFlags = flags & 0x400 != 0 ? try rest.readField(UInt32.self, of: box) : header.defaultFlags
            if index == 0, let firstFlags { sampleFlags = firstFlags }
            let compositionOffset = flags & 0x800 != 0 ? try rest.readField(Int32.self, of: box) : 0
            guard offset >= 0, offset <= fileByteCount - Int64(byteCount) else {
                // This is the last fragment of a truncated recording; the samples before it are kept.
                return
            }
            tracks[position].samples.appendFragmentSample(
                offset: offset, byteCount: byteCount, duration: duration, compositionOffset: compositionOffset,
                isSync: sampleFlags & Self.nonSyncFlag == 0)
            offset += Int64(byteCount)
            sampleCount += 1
            nextDecodeTimes[position] = nextDecodeTimes[position].addingSaturating(Int64(duration))
        }
    }
}

/// A `tfhd` (ISO/IEC 14496-12 §8.8.7) with the movie's defaults filled in.
private struct TrackFragmentHeader {
    var trackID: UInt32
    var baseOffset: Int64?
    var isBaseMovieFragment: Bool
    var defaultDuration: UInt32
    var defaultByteCount: UInt32
    var defaultFlags: UInt32

    init(parsing box: Box, trackExtends: [UInt32: TrackExtends]) throws(ISOBMFFError) {
        var (_, flags, rest) = try box.fullBox()
        trackID = try rest.readField(UInt32.self, of: box)
        let defaults = trackExtends[trackID]
        baseOffset = flags & 0x1 != 0 ? Int64(clamping: try rest.readField(UInt64.self, of: box)) : nil
        if flags & 0x2 != 0 { try rest.skipField(4, of: box) }
        isBaseMovieFragment = flags & 0x2_0000 != 0
        defaultDuration = flags & 0x8 != 0 ? try rest.readField(UInt32.self, of: box) : defaults?.defaultDuration ?? 0
        defaultByteCount =
            flags & 0x10 != 0 ? try rest.readField(UInt32.self, of: box) : defaults?.defaultByteCount ?? 0
        defaultFlags = flags & 0x20 != 0 ? try rest.readField(UInt32.self, of: box) : defaults?.defaultFlags ?? 0
    }
}

extension SampleTable {
    /// Appends a sample. The two optional columns stay empty until a sample needs them.
    fileprivate mutating func appendFragmentSample(
        offset: Int64, byteCount: UInt32, duration: UInt32, compositionOffset: Int32, isSync: Bool
    ) {
        if compositionOffset != 0, compositionOffsets.isEmpty {
            compositionOffsets = Array(repeating: 0, count: count)
            compositionOffsets.append(compositionOffset)
        } else if !compositionOffsets.isEmpty {
            compositionOffsets.append(compositionOffset)
        }
        if !isSync, syncFlags.isEmpty {
            syncFlags = Array(repeating: true, count: count)
            syncFlags.append(false)
        } else if !syncFlags.isEmpty {
            syncFlags.append(isSync)
        }
        offsets.append(offset)
        byteCounts.append(byteCount)
        durations.append(duration)
    }
}
