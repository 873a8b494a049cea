import Foundation
import MediaCore

/// The Content-Disposition field (RFC 6266).
package enum ContentDisposition {
    /// The name of a field of a form (RFC 7578 §4.2), such as `form-data; name="north"`; `nil` if there is none.
    static func name(in text: String) -> String? {
        for parameter in text.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, parts[0].lowercased() == "name" {
                return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            }
        }
        return nil
    }

    /// The file name in a field such as `attachment; filename="a.mp4"; filename*=UTF-8''a%C3%B1o.mp4`; `nil` if there
    /// is none.
    package static func fileName(in text: String) -> String? {
        var plain: String?
        for parameter in text.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2 else { continue }
            switch parts[0].lowercased() {
            case "filename*":
                let value = parts[1].split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
                if value.count == 3, value[0].lowercased() == "utf-8", let name = value[2].removingPercentEncoding {
                    return name
                }
            case "filename": plain = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            default: break
            }
        }
        return plain
    }
}
