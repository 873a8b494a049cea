import RTSPProtocol

extension BroadcastError {
    /// Creates an error from a server's refusal.
    init(_ failure: RTSPPublishingFailure, target: PushTarget) {
        let words = failure.status.map { ": \($0.reasonPhrase)" } ?? ""
        switch failure.code {
        case .credentialsMissing:
            self.init(
                .credentials,
                "\(target.endpoint) requires a user name and a password; give them with --user and --password-file, or "
                    + "ANTENA_PASSWORD in the environment")
        case .credentialsRejected:
            let isEmpty = target.credentials?.password.isEmpty ?? true
            self.init(
                .credentials,
                isEmpty
                    ? "\(target.endpoint) requires a password; give it with --password-file, or "
                        + "ANTENA_PASSWORD in the environment"
                    : "\(target.endpoint) does not accept this user name and password; check both")
        case .forbidden: self.init(.refused, "\(target.endpoint) does not allow publishing here\(words)")
        case .notFound:
            self.init(.unknownChannel, "\(target.endpoint) has no channel at \(target.path)")
        case .busy: self.init(.channelBusy, "\(target.path) has another publisher\(words)")
        case .mediaRefused: self.init(.refused, "\(target.endpoint) does not accept this video or audio\(words)")
        case .transportRefused:
            self.init(
                .refused,
                "\(target.endpoint) does not accept media over \(target.transport.rawValue.uppercased()); try "
                    + "--transport \(target.transport == .tcp ? "udp" : "tcp")")
        case .recordingUnsupported:
            self.init(.refused, "\(target.endpoint) speaks RTSP but does not accept publishers: \(failure.reason)")
        case .redirected, .refused: self.init(.refused, failure.reason)
        case .malformedAnswer: self.init(.notRTSP, failure.reason)
        case .sessionLost: self.init(.connectionLost, failure.reason)
        }
    }
}
