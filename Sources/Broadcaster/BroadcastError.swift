import LibAV
import RTSPProtocol

/// Why a broadcast cannot begin or go on, in a sentence that says what to do.
public struct BroadcastError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of thing it is, for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Flags or settings that make no sense, or are missing.
        case usage
        /// Nothing answers at the server's address.
        case unreachable
        /// What answers does not speak RTSP.
        case notRTSP
        case certificate
        case credentials
        case unknownChannel
        case channelBusy
        /// The server takes no such media, preset or transport.
        case refused
        /// A camera, microphone, screen or file.
        case source
        /// An encoder or library is missing.
        case codec
        /// The connection broke, and it was not to be tried again.
        case connectionLost
        case configuration

        /// What the program ends with; see docs/broadcast.md.
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

    /// For programs.
    public var code: Code
    /// For people: what is wrong and what to do.
    public var reason: String

    /// A reason is a sentence without a full stop.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }

    /// Of a source or an encoder.
    init(_ error: LibAVError) {
        let code: Code =
            switch error.code {
            case .libraryMissing, .codecUnsupported: .codec
            default: .source
            }
        self.init(code, error.description)
    }

    /// What a server's refusal means for a person.
    init(_ failure: RTSPPublishingFailure, target: PushTarget) {
        let words = failure.status.map { ": \($0.reasonPhrase)" } ?? ""
        switch failure.code {
        case .credentialsMissing:
            self.init(
                .credentials,
                "\(target.endpoint) wants a user name and a password; give them with --user and --password-file, or "
                    + "ANTENA_PASSWORD in the environment")
        case .credentialsRejected:
            let isEmpty = target.credentials?.password.isEmpty ?? true
            self.init(
                .credentials,
                isEmpty
                    ? "\(target.endpoint) wants a password with the user name; give it with --password-file, or "
                        + "ANTENA_PASSWORD in the environment"
                    : "\(target.endpoint) does not take this user name and password; check both")
        case .forbidden: self.init(.refused, "\(target.endpoint) does not allow this push\(words)")
        case .notFound:
            self.init(.unknownChannel, "\(target.endpoint) has no channel at \(target.path)")
        case .busy: self.init(.channelBusy, "somebody else pushes to \(target.path)\(words)")
        case .mediaRefused: self.init(.refused, "\(target.endpoint) does not take this picture or sound\(words)")
        case .transportRefused:
            self.init(
                .refused,
                "\(target.endpoint) does not take media over \(target.transport.rawValue.uppercased()); try "
                    + "--transport \(target.transport == .tcp ? "udp" : "tcp")")
        case .recordingUnsupported:
            self.init(.refused, "\(target.endpoint) speaks RTSP but takes no pushes: \(failure.reason)")
        case .redirected, .refused: self.init(.refused, failure.reason)
        case .malformedAnswer: self.init(.notRTSP, failure.reason)
        case .sessionLost: self.init(.connectionLost, failure.reason)
        }
    }
}
