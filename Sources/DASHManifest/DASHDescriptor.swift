/// A property that a scheme defines (ISO/IEC 23009-1:2022 §5.8.2).
package struct DASHDescriptor: Sendable, Hashable {
    package var scheme: String
    package var value: String?

    package init(_ scheme: String, _ value: String? = nil) { (self.scheme, self.value) = (scheme, value) }

    func write(_ name: String, into writer: inout XMLWriter) {
        writer.element(
            name, [.init("schemeIdUri", scheme)] + (value.map { [XMLAttribute("value", $0)] } ?? []))
    }
}
