import MediaCore
package import NIOCore

/// The properties that samples of a run have in common, which `trun` need not repeat. They determine the size of the
/// `moof`, which must be known for a title without writing it.
package struct FragmentLayout: Sendable, Hashable {
    package private(set) var sampleCount = 0
    private var firstDuration: UInt32 = 0
    private var hasUniformDuration = true
    private var hasCompositionOffsets = false
    private var firstIsSync = false
    private var secondIsSync = false
    /// Whether all samples from the second on have the same flags, as they do in a key frame with its successors.
    private var hasUniformFlagsAfterFirst = true
    /// The protected ranges of each sample; `nil` if the fragment does not say them.
    package var protection: [SampleProtection]?

    package init() {}

    /// Creates the layout of a run.
    ///
    /// The parameter is an array and not any sequence, because generic code of another module is not specialized.
    package init(_ samples: [FragmentSample]) {
        for sample in samples {
            add(duration: sample.duration, compositionOffset: sample.compositionOffset, isSync: sample.isSync)
        }
    }

    /// Adds one sample.
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

    /// Adds equal samples.
    package mutating func add(_ count: Int, duration: UInt32, compositionOffset: Int32, isSync: Bool) {
        // A third equal sample provides no information beyond the second.
        for _ in 0..<min(count, 2) { add(duration: duration, compositionOffset: compositionOffset, isSync: isSync) }
        sampleCount += max(0, count - 2)
    }

    /// The default for samples after the first. A single sample supplies the default itself.
    private var effectiveDefaultIsSync: Bool { sampleCount > 1 ? secondIsSync : firstIsSync }
    private var hasFirstSampleFlags: Bool { hasUniformFlagsAfterFirst && firstIsSync != effectiveDefaultIsSync }

    private var bytesPerSample: Int {
        4 + (hasUniformDuration ? 0 : 4) + (hasUniformFlagsAfterFirst ? 0 : 4) + (hasCompositionOffsets ? 4 : 0)
    }

    /// Size of the `moof` in bytes.
    package var movieFragmentByteCount: Int {
        byteCountBeforeProtection + (protection.map { SampleProtectionBoxes($0).byteCount } ?? 0)
    }

    private var byteCountBeforeProtection: Int {
        let trackFragmentHeader = 16 + (hasUniformDuration ? 4 : 0) + (hasUniformFlagsAfterFirst ? 4 : 0)
        let trackRun = 20 + (hasFirstSampleFlags ? 4 : 0) + sampleCount * bytesPerSample
        return 8 + 16 + 8 + trackFragmentHeader + 20 + trackRun
    }

    /// Size in bytes of everything before the first media byte: `moof` and the header of `mdat`.
    package var headerByteCount: Int { movieFragmentByteCount + 8 }

    /// Writes `moof` and the header of `mdat`. The caller writes the samples' bytes directly after it.
    ///
    /// - Parameters:
    ///   - samples: the samples from which the layout was made.
    ///   - sequenceNumber: number of the fragment (`mfhd`, ISO/IEC 14496-12 §8.8.5).
    ///   - decodeTime: decode time of the first sample (`tfdt`, ISO/IEC 14496-12 §8.8.12), never negative.
    ///   - buffer: the buffer to append to.
    package func writeHeader(
        of samples: [FragmentSample], sequenceNumber: UInt32, decodeTime: Int64,
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
                if let protection {
                    SampleProtectionBoxes(protection).write(at: byteCountBeforeProtection, into: &buffer)
                }
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
        of samples: [FragmentSample], mediaByteCount: inout Int, into buffer: inout ByteBuffer
    ) {
        let flags: UInt32 =
            0x201 | (hasFirstSampleFlags ? 0x4 : 0) | (hasUniformDuration ? 0 : 0x100)
            | (hasUniformFlagsAfterFirst ? 0 : 0x400) | (hasCompositionOffsets ? 0x800 : 0)
        var total = 0
        // Version 1 has signed composition offsets.
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
