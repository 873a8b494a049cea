import HTTPTypes
import LiveChannels
import Logging

@testable import Gateway

/// The operator token used by tests.
enum TestOperator {
    static let token = OperatorToken()
    static let authorization = "Bearer \(token.text)"

    static func gate() -> OperatorGate {
        OperatorGate(token: token, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
}

extension GatewayEndpoints {
    /// Creates endpoints that accept the token of ``TestOperator``.
    init(content: any ContentSource, presets: [QualityPreset], rtspPort: @escaping @Sendable () -> Int) {
        self.init(content: content, presets: presets, operators: TestOperator.gate(), rtspPort: rtspPort)
    }
}
