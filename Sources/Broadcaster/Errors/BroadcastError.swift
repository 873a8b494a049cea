import LibAV

/// The reason why a broadcast cannot start or continue, in a sentence that says what to do.
public struct BroadcastError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of error, for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Flags or settings are invalid or missing.
        case usage
        /// Nothing answers at the server's address.
        case unreachable
        /// The server does not speak RTSP.
        case notRTSP
        /// The server's certificate is not trusted.
        case certificate
        /// The user name or password is missing or wrong.
        case credentials
        /// The server has no such channel.
        case unknownChannel
        /// The channel has another publisher.
        case channelBusy
        /// The server refuses the media, preset or transport.
        case refused
        /// A camera, microphone, screen or file cannot be used.
        case source
        /// An encoder or library is missing.
        case codec
        /// The connection broke and no retry was wanted.
        case connectionLost
        /// A profile or password file cannot be used.
        case configuration

        /// The exit status of the program; see docs/antena-broadcast.md.
        public var exitCode: Int32 {
            switch self {
            case .usage: 64
            case .unreachable, .notRTSP: 69
            case .certificate, .credentials: 77
            case .unknownChannel: 68
            case .channelBusy: 75
            case .refused: 76
            case .source: 66
            case .codec: 70
            case .connectionLost: 74
            case .configuration: 78
            }
        }
    }

    /// The kind of error, for programs.
    public var code: Code
    /// A human-readable sentence: what is wrong and what to do.
    public var reason: String

    /// Creates an error; `reason` is a sentence without a full stop.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }

    /// Creates an error from one of a source or an encoder.
    init(_ error: LibAVError) {
        let code: Code =
            switch error.code {
            case .libraryMissing, .codecUnsupported: .codec
            default: .source
            }
        self.init(code, error.description)
    }
}
