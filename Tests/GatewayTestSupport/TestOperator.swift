package import APIContract
package import Accounts
package import Features
package import HTTPEndpoints
import Logging
package import Workflows

/// The operator token used by tests.
package enum TestOperator {
    package static let token = OperatorToken()
    package static let authorization = "Bearer \(token.text)"

    package static func authority(
        _ accounts: Accounts? = nil, publicAddress: PublicAddress? = nil
    ) -> RequestAuthority {
        RequestAuthority(
            token: token, accounts: accounts, publicAddress: publicAddress,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
}

extension EndpointTable {
    /// The endpoints of a server: those of all features for which it has what they need.
    ///
    /// - Parameters:
    ///   - content: the library and the channels that are shown.
    ///   - authority: finds out who sends a request; the default knows the token of ``TestOperator`` only.
    ///   - part: the domains and other parts that the server has; see `Parts`.
    ///   - configure: gives the server what is no part.
    package static func serving<each Part: Sendable>(
        _ content: any ContentSource, authority: RequestAuthority = TestOperator.authority(),
        with part: repeat each Part, configure: (inout Station) -> Void = { _ in }
    ) -> EndpointTable {
        var parts = Parts()
        parts.add(Features.eventKinds)
        repeat parts.add(each part)
        var station = Station(content: content, authority: authority, parts: parts)
        configure(&station)
        return FeatureSet(station).table
    }
}
