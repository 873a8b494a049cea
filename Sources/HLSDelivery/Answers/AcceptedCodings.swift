/// The codings of a body that a client takes (`Accept-Encoding`, RFC 9110 §12.5.3).
package enum AcceptedCodings {
    /// Whether a body may be compressed with gzip.
    ///
    /// - Parameter header: the value of the field; `nil` if there is none.
    package static func includeGzip(_ header: String?) -> Bool {
        guard let header else { return false }
        var anyCoding = false
        for coding in header.split(separator: ",") {
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            // A weight of zero means "not acceptable" (RFC 9110 §12.4.2).
            let isAccepted = !parts.dropFirst().contains {
                $0.hasPrefix("q=0") && $0.allSatisfy { "q=0.".contains($0) }
            }
            // An entry for gzip takes precedence over "*" (§12.5.3).
            if parts.first == "gzip" { return isAccepted }
            if parts.first == "*" { anyCoding = isAccepted }
        }
        return anyCoding
    }
}
