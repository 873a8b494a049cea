import MediaCore
package import NIOCore

/// One sample as `trun` describes it (ISO/IEC 14496-12 §8.8.8).
package struct FragmentSample: Sendable, Hashable {
    /// Ticks of the track's timescale.
    package var duration: UInt32
    package var byteCount: UInt32
    package var compositionOffset: Int32
    package var isSync: Bool

    package init(duration: UInt32, byteCount: UInt32, compositionOffset: Int32, isSync: Bool) {
        self.duration = duration
        self.byteCount = byteCount
        self.compositionOffset = compositionOffset
        self.isSync = isSync
    }

    /// sample_depends_on 2: an I picture; 1 with sample_is_non_sync_sample: needs others (§8.8.3.1).
    fileprivate var flags: UInt32 { isSync ? 0x0200_0000 : 0x0101_0000 }
}

/// What a run of samples has in common, and so what `trun` need not repeat: it decides the `moof`'s size, which for a
/// title must be known without writing it.
package struct FragmentLayout: Sendable, Hashable {
    package private(set) var sampleCount = 0
    private var firstDuration: UInt32 = 0
    private var hasUniformDuration = true
    private var hasCompositionOffsets = false
    private var firstIsSync = false
    private var secondIsSync = false
    /// From the second sample on, all are alike: the usual case of a key frame and its followers.
    private var hasUniformFlagsAfterFirst = true

    package init() {}

    package init(_ samples: some Sequence<FragmentSample>) {
        for sample in samples {
            add(duration: sample.duration, compositionOffset: sample.compositionOffset, isSync: sample.isSync)
        }
    }

    package mutating func add(duration: UInt32, compositionOffset: Int32, isSync: Bool) {
        if sampleCount == 0 {
            firstDuration = duration
            firstIsSync = isSync
        } else if sampleCount == 1 {
            secondIsSync = isSync
        } else if isSync != secondIsSync {
            hasUniformFlagsAfterFirst = false
        }
        if duration != firstDuration { hasUniformDuration = false }
        if compositionOffset != 0 { hasCompositionOffsets = true }
        sampleCount += 1
    }

    /// Samples that are all alike.
    package mutating func add(_ count: Int, duration: UInt32, compositionOffset: Int32, isSync: Bool) {
        // A third one tells nothing that the second has not told.
        for _ in 0..<min(count, 2) { add(duration: duration, compositionOffset: compositionOffset, isSync: isSync) }
        sampleCount += max(0, count - 2)
    }

    /// A single sample has no followers to differ from.
    private var effectiveDefaultIsSync: Bool { sampleCount > 1 ? secondIsSync : firstIsSync }
    private var hasFirstSampleFlags: Bool { hasUniformFlagsAfterFirst && firstIsSync != effectiveDefaultIsSync }

    private var bytesPerSample: Int {
        4 + (hasUniformDuration ? 0 : 4) + (hasUniformFlagsAfterFirst ? 0 : 4) + (hasCompositionOffsets ? 4 : 0)
    }

    /// Of the `moof` alone.
    package var movieFragmentByteCount: Int {
        let trackFragmentHeader = 16 + (hasUniformDuration ? 4 : 0) + (hasUniformFlagsAfterFirst ? 4 : 0)
        let trackRun = 20 + (hasFirstSampleFlags ? 4 : 0) + sampleCount * bytesPerSample
        return 8 + 16 + 8 + trackFragmentHeader + 20 + trackRun
    }

    /// Of everything before the first media byte: `moof`, then the header of `mdat`.
    package var headerByteCount: Int { movieFragmentByteCount + 8 }

    /// Writes `moof` and the header of `mdat`; the samples' bytes belong directly behind it.
    ///
    /// - Parameters:
    ///   - samples: those that the layout was made of.
    ///   - decodeTime: of the first sample (`tfdt`, §8.8.12), never negative.
    package func writeHeader(
        of samples: some Sequence<FragmentSample>, sequenceNumber: UInt32, decodeTime: Int64,
        into buffer: inout ByteBuffer
    ) {
        buffer.reserveCapacity(minimumWritableBytes: headerByteCount)
        var mediaByteCount = 0
        buffer.writeBox("moof") { buffer in
            buffer.writeFullBox("mfhd") { $0.writeInteger(sequenceNumber) }
            buffer.writeBox("traf") { buffer in
                writeTrackFragmentHeader(into: &buffer)
                buffer.writeFullBox("tfdt", version: 1) { $0.writeInteger(UInt64(max(0, decodeTime))) }
                writeTrackRun(of: samples, mediaByteCount: &mediaByteCount, into: &buffer)
            }
        }
        buffer.writeInteger(UInt32(clamping: mediaByteCount + 8))
        buffer.writeInteger(FourCC("mdat").rawValue)
    }

    private func writeTrackFragmentHeader(into buffer: inout ByteBuffer) {
        let flags: UInt32 = 0x2_0000 | (hasUniformDuration ? 0x8 : 0) | (hasUniformFlagsAfterFirst ? 0x20 : 0)
        buffer.writeFullBox("tfhd", flags: flags) { buffer in
            buffer.writeInteger(MediaInitializationSection.trackID)
            if hasUniformDuration { buffer.writeInteger(firstDuration) }
            if hasUniformFlagsAfterFirst { buffer.writeInteger(Self.flags(isSync: effectiveDefaultIsSync)) }
        }
    }

    private func writeTrackRun(
        of samples: some Sequence<FragmentSample>, mediaByteCount: inout Int, into buffer: inout ByteBuffer
    ) {
        let flags: UInt32 =
            0x201 | (hasFirstSampleFlags ? 0x4 : 0) | (hasUniformDuration ? 0 : 0x100)
            | (hasUniformFlagsAfterFirst ? 0 : 0x400) | (hasCompositionOffsets ? 0x800 : 0)
        var total = 0
        // Version 1: composition offsets are signed.
        buffer.writeFullBox("trun", version: 1, flags: flags) { buffer in
            buffer.writeInteger(UInt32(clamping: sampleCount))
            buffer.writeInteger(UInt32(clamping: headerByteCount))
            if hasFirstSampleFlags { buffer.writeInteger(Self.flags(isSync: firstIsSync)) }
            for sample in samples {
                if !hasUniformDuration { buffer.writeInteger(sample.duration) }
                buffer.writeInteger(sample.byteCount)
                if !hasUniformFlagsAfterFirst { buffer.writeInteger(sample.flags) }
                if hasCompositionOffsets { buffer.writeInteger(sample.compositionOffset) }
                total += Int(sample.byteCount)
            }
        }
        mediaByteCount = total
    }

    private static func flags(isSync: Bool) -> UInt32 {
        FragmentSample(duration: 0, byteCount: 0, compositionOffset: 0, isSync: isSync).flags
    }
}
