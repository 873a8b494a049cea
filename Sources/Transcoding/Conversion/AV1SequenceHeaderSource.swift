import CLibAV
import Codecs
import LibAV

/// The configuration of an AV1 track whose file has the sequence header in its frames only, as `av1C` allows (AV1 Codec
/// ISO Media File Format Binding §2.3.3). Players take it from there before they have frames.
struct AV1SequenceHeaderSource {
    private let configuration: AV1Configuration

    /// Limit of the bytes of a frame in which the sequence header is looked for; it comes first.
    private static let maximumByteCount = 4_096

    /// - Returns: `nil` if the stream is not AV1, has the header where it is expected, or has none.
    init?(_ stream: UnsafeMutablePointer<AVStream>, in input: InputFile) {
        guard let parameters = stream.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_AV1,
            !Self.isComplete(parameters)
        else { return nil }
        let beginning = input.beginningOfFirstSample(of: stream, maximumByteCount: Self.maximumByteCount)
        guard let configuration = AV1Configuration(findingSequenceHeaderIn: beginning) else { return nil }
        self.configuration = configuration
    }

    /// Returns whether a track has its sequence header in its record.
    static func isComplete(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Bool {
        (try? AV1Configuration(parsingRecord: parameters.record)) != nil
    }

    /// Puts the header where it is expected.
    func complete(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
        // Without it, the movie is found to be unusable, and the video is encoded.
        _ = parameters.setRecord(configuration.record)
    }
}
