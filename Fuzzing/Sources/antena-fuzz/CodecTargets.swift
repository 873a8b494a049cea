import Codecs
import RTPTransport

extension FuzzTarget {
    static let codecTargets = [
        codec("h264-sps", [[0x67, 0x42, 0xC0, 0x1E, 0xD9, 0x01, 0x40, 0x7B, 0x20]]) {
            _ = try H264SequenceParameterSet(parsing: $0)
        },
        codec("h264-record", [[1, 0x42, 0xC0, 0x1E, 0xFF, 0xE1, 0, 4, 0x67, 0x42, 0xC0, 0x1E, 1, 0, 2, 0x68, 0xCB]]) {
            let configuration = try H264Configuration(parsingRecord: $0)
            _ = configuration.rfc6381
        },
        codec("hevc-sps", [[0x42, 1, 1, 1, 0x60, 0, 0, 3, 0, 0x90, 0, 0, 3, 0, 0, 3, 0, 0x5D, 0xA0, 2, 0x80, 0x80]]) {
            _ = try HEVCSequenceParameterSet(parsing: $0)
        },
        codec(
            "hevc-record",
            [[1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 0x5D, 0xF0, 0, 0xFC, 0xFD, 0xF8, 0xF8, 0, 0, 0x0F, 0]]
        ) {
            let configuration = try HEVCConfiguration(parsingRecord: $0)
            _ = configuration.rfc6381
        },
        codec("aac-config", [[0x11, 0x90], [0x2B, 0x92, 0x08, 0, 0x56, 0xE5, 0]]) {
            let configuration = try AACConfiguration(parsingAudioSpecificConfig: $0)
            _ = configuration.rfc6381
        },
        codec("opus-record", [[0, 2, 1, 0x38, 0, 0, 0xBB, 0x80, 0, 0, 0]]) {
            _ = try OpusConfiguration(parsingRecord: $0).record
        },
        codec("av1-sequence-header", [[0, 0, 0, 0x24, 0xC4, 0xFF, 0xDF, 0x3F, 0xFE, 0xCC, 0x02]]) {
            let configuration = try AV1Configuration(sequenceHeaderPayload: $0)
            _ = configuration.rfc6381
        },
        codec(
            "av1-tiles",
            [
                [
                    0x0A, 0x0A, 0, 0, 0, 2, 0xAF, 0xFF, 0x9B, 0x5F, 0x20, 0x08, 0x32, 0x16, 0x09, 0x14, 0, 0x22, 0xC0,
                    0, 0, 0x80, 0, 0xA0, 0xDD, 0xDD, 0xB3, 0x28, 0xBC, 0x08, 0, 0, 0, 0, 0, 0,
                ]
            ]
        ) {
            let sequence: [UInt8] = [0, 0, 0, 2, 0xAF, 0xFF, 0x9B, 0x5F, 0x20, 0x08]
            var finder = try SliceDataFinder(.av1(AV1Configuration(sequenceHeaderPayload: sequence)))
            _ = try $0.withUnsafeBytes { try finder.sliceData(in: $0) }
        },
        codec("latm-config", [[0x40, 0, 0x24, 0x20, 0xAD, 0xCA, 0]]) {
            _ = try LATMStreamMuxConfiguration(parsing: $0)
        },
    ]

    private static func codec(
        _ name: String, _ seeds: [[UInt8]], _ parse: @escaping @Sendable ([UInt8]) throws -> Void
    ) -> FuzzTarget {
        FuzzTarget(name: "codec-\(name)", seeds: seeds) { bytes in try? parse(bytes) }
    }
}
