extension String {
    /// The text with values in place of names in braces, such as `{name}`. What stands in a value is left as it is.
    ///
    /// - Parameters:
    ///   - name: the first name.
    ///   - value: what stands for it.
    ///   - others: more names with their values.
    package func filled(
        _ name: String, with value: String, _ others: KeyValuePairs<String, String> = [:]
    ) -> String {
        var text = ""
        var rest = self[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let found = rest[rest.index(after: start)..<end]
            text += rest[..<start]
            if found == name {
                text += value
            } else {
                text += others.first { $0.key == found }?.value ?? String(rest[start...end])
            }
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }
}
