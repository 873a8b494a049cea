import MediaCore

/// Writes a document element by element.
struct XMLWriter {
    private(set) var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    private var depth = 0

    mutating func element(_ name: String, _ attributes: [XMLAttribute]) {
        open(name, attributes)
        text += "/>\n"
    }

    mutating func element(_ name: String, _ attributes: [XMLAttribute], content: (inout XMLWriter) -> Void) {
        open(name, attributes)
        text += ">\n"
        depth += 1
        content(&self)
        depth -= 1
        indent()
        text += "</\(name)>\n"
    }

    mutating func element(_ name: String, text content: String) {
        open(name, [])
        text += ">\(XMLText.escaped(content))</\(name)>\n"
    }

    private mutating func open(_ name: String, _ attributes: [XMLAttribute]) {
        indent()
        text += "<\(name)"
        for attribute in attributes { text += " \(attribute.name)=\"\(XMLText.escaped(attribute.value))\"" }
    }

    private mutating func indent() { text += String(repeating: " ", count: depth) }
}
