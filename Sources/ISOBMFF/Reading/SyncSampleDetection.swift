import Codecs
import MediaCore
import NIOCore

/// Finds the key frames of a video track whose file does not mark any.
///
/// A file without `stss`, or whose fragments do not flag any samples, states that decoding can start at every frame
/// (ISO/IEC 14496-12 §8.6.2). That is true of intra-only video. Other such files come from writers that omitted the
/// table, and segments cut by it would begin with frames that cannot be decoded.
struct SyncSampleDetection {
    let configuration: CodecConfiguration
    let samples: SampleTable

    /// Number of frames to probe at the start, and again at regular intervals over the track. A track with inter
    /// frames is detected unless all probed frames happen to be key frames, and groups of pictures are hardly ever
    /// longer than a tenth of a film.
    private static let probedCount = 8
    /// Limit on NAL units before a frame's first slice: delimiter, parameter sets and messages.
    private static let maximumPrecedingUnitCount = 64
    private static let lengthByteCount = 4

    /// - Returns: one flag per sample; `nil` if the file is right or the key frames cannot be determined.
    func syncFlags(reading file: some RandomAccessData) throws -> [Bool]? {
        guard samples.syncFlags.isEmpty, samples.count > 1, isKeyFrameSlice != nil else { return nil }
        let step = max(1, samples.count / Self.probedCount)
        let probed = Set(0..<min(Self.probedCount, samples.count)).union(stride(from: 0, to: samples.count, by: step))
        guard try probed.sorted().contains(where: { try !isKeyFrame($0, in: file) }) else { return nil }
        // If not even the first sample is a key frame, this is not the kind of file that detection is for.
        guard try isKeyFrame(0, in: file) else { return nil }
        return try samples.offsets.indices.map { try isKeyFrame($0, in: file) }
    }

    /// Classifies a NAL unit by its first byte: `nil` if it is not a slice, otherwise whether decoding can start at
    /// its picture. `nil` for codecs without NAL units.
    private var isKeyFrameSlice: ((UInt8) -> Bool?)? {
        switch configuration {
        case .h264:
            { byte in H264NALUnitType(headerByte: byte).flatMap { $0.isSlice ? $0 == .idrSlice : nil } }
        case .hevc:
            { byte in
                let type = HEVCNALUnitType.type(headerByte: byte)
                return type < HEVCNALUnitType.videoParameterSet
                    ? HEVCNALUnitType.randomAccessPoints.contains(type) : nil
            }
        default: nil
        }
    }

    private func isKeyFrame(_ sample: Int, in file: some RandomAccessData) throws -> Bool {
        guard let isKey = isKeyFrameSlice else { return true }
        var offset = samples.offsets[sample]
        let end = min(file.byteCount, offset + Int64(samples.byteCounts[sample]))
        for _ in 0..<Self.maximumPrecedingUnitCount where end - offset > Int64(Self.lengthByteCount) {
            let head = try file.read(at: offset, count: Self.lengthByteCount + 1)
            guard let length = head.getInteger(at: head.readerIndex, as: UInt32.self),
                let byte = head.getInteger(at: head.readerIndex + Self.lengthByteCount, as: UInt8.self)
            else { return false }
            if let isKey = isKey(byte) { return isKey }
            offset += Int64(Self.lengthByteCount) + Int64(length)
        }
        return false
    }
}
