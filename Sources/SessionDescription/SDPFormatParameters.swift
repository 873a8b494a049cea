/// An `fmtp` attribute such as `a=fmtp:96 name=value; name=value` (RFC 8866 §6.15, in the syntax of RTP payload
/// formats).
package struct SDPFormatParameters: Sendable, Hashable {
    /// Payload type that the parameters apply to; `nil` if there are no parameters.
    package var payloadType: UInt8?
    /// Parameter values, keyed by lower-case name. Names are not case-sensitive (RFC 3640 §4.1), and libstreaming
    /// writes `SizeLength`.
    package var parameters: [String: String]

    package init(payloadType: UInt8? = nil, parameters: [String: String] = [:]) {
        self.payloadType = payloadType
        self.parameters = parameters
    }

    /// Parses `96 name=value; name=value`; `nil` if the value does not begin with a payload type.
    package init?(parsing value: String) {
        let fields = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let first = fields.first, let payloadType = UInt8(first) else { return nil }
        var parameters: [String: String] = [:]
        if fields.count == 2 {
            for parameter in fields[1].split(separator: ";") {
                let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = trimmingSpaces(pair[0]).lowercased()
                guard !name.isEmpty else { continue }
                parameters[name] = pair.count == 2 ? trimmingSpaces(pair[1]) : ""
            }
        }
        self.init(payloadType: payloadType, parameters: parameters)
    }

    /// The value of a parameter, whose name is not case-sensitive; `nil` if it is missing.
    package subscript(name: String) -> String? { parameters[name.lowercased()] }

    /// The parameter as an integer; `nil` if it is missing or not an integer.
    package func integer(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

    /// The value of the attribute's line, sorted by name so that equal values render alike.
    package var rendered: String {
        let list = parameters.sorted { $0.key < $1.key }.map { $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value)" }
        return ((payloadType.map { ["\($0)"] } ?? []) + [list.joined(separator: ";")]).joined(separator: " ")
    }
}
