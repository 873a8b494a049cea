package import HTTPTypes

/// A cookie that a browser sends (RFC 6265 §4.2).
package enum RequestCookie {
    /// Limit of a Cookie header, beyond which it is not searched.
    private static let maximumHeaderByteCount = 16 * 1024

    /// The value of the first cookie with a name; `nil` if there is none.
    package static func value(named name: String, in fields: HTTPFields) -> String? {
        for value in fields[values: .cookie] where value.utf8.count <= maximumHeaderByteCount {
            for pair in value.utf8.split(separator: UInt8(ascii: ";")) {
                let text = Substring(pair).trimmingPrefix(while: { $0 == " " })
                guard text.hasPrefix("\(name)=") else { continue }
                return String(text.dropFirst(name.utf8.count + 1))
            }
        }
        return nil
    }
}
