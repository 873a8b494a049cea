import Codecs
import MediaCore
import NIOCore

/// Finds the key frames of a video track whose file names none.
///
/// A file without `stss`, or whose fragments flag nothing, says that decoding can start at every picture (ISO/IEC
/// 14496-12 §8.6.2). That is true of intra-only video; other such files come from writers that forgot the table, and
/// segments cut by it would begin with rubbish.
struct SyncSampleDetection {
    let configuration: CodecConfiguration
    let samples: SampleTable

    /// Looked at in front, and as many spread over the rest: a group of pictures hardly ever is longer than a tenth of
    /// a film and all of them are.
    private static let probedCount = 8
    /// Delimiter, parameter sets and messages in front of a picture's first slice.
    private static let maximumPrecedingUnitCount = 64
    private static let lengthByteCount = 4

    /// - Returns: one flag a sample; `nil` where the file is right, or nothing better is known.
    func syncFlags(reading file: some RandomAccessData) throws -> [Bool]? {
        guard samples.syncFlags.isEmpty, samples.count > 1, isFirstOfCodedPictures != nil else { return nil }
        let step = max(1, samples.count / Self.probedCount)
        let probed = Set(0..<min(Self.probedCount, samples.count)).union(stride(from: 0, to: samples.count, by: step))
        guard try probed.sorted().contains(where: { try !isKeyFrame($0, in: file) }) else { return nil }
        // Without a single key frame in front the pictures are not what is looked for here.
        guard try isKeyFrame(0, in: file) else { return nil }
        return try samples.offsets.indices.map { try isKeyFrame($0, in: file) }
    }

    /// By a NAL unit's first byte: whether it is a slice, and then whether of a picture at which decoding can start.
    private var isFirstOfCodedPictures: ((UInt8) -> Bool?)? {
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
        guard let isKey = isFirstOfCodedPictures else { return true }
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
