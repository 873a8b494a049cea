package import Foundation
package import JSONDocument
import MediaCore

/// The session of a member, or none for somebody who logs in.
package struct MemberAccess: ServerAccess {
    private let session: MemberSession?

    package init(_ session: MemberSession? = nil) { self.session = session }

    package func credential(for server: URL) -> String? {
        guard let session, URL(string: session.server) == server else { return nil }
        return session.token
    }

    /// Ends of the types of problems in which a password or a code was wrong, and not the session.
    private static let typingMistakes: Set<Substring> = ["wrong-credentials", "wrong-code"]

    package func explanation(of problem: JSONNode, from base: String, at server: URL) -> String {
        let type = problem["type"]?.string?.split(separator: "#").last ?? ""
        guard session == nil || Self.typingMistakes.contains(type) else {
            return "The session at \(base) has ended; log in again with \"antena me log-in USER\"."
        }
        return "\(base): \(UntrustedText.escaped(problem["detail"]?.string ?? "HTTP 401"))"
    }
}
