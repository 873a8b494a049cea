package import Hummingbird
package import MediaCore

extension Request {
    /// The encoding that `Content-Type` names for the body; `nil` if it names none, or one that is not known.
    package var declaredEncoding: TextEncoding? {
        let parameters = headers[.contentType]?.split(separator: ";").dropFirst() ?? []
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }).lowercased() == "charset" else { continue }
            return TextEncoding(label: parts[1].filter { !$0.isWhitespace && $0 != "\"" })
        }
        return nil
    }
}
