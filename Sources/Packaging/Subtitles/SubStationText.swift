/// Converts text of Sub Station Alpha, plain or advanced, to WebVTT cue text. Bold, italics and underlining are kept;
/// positions, colours, animations and drawings are dropped.
enum SubStationText {
    /// The number of fields before the text: read order, layer, style, name, three margins, effect (Matroska, "SSA/ASS
    /// Subtitles").
    private static let fieldCount = 8

    /// Converts an event.
    ///
    /// - Parameter event: An event with its fields, as stored in Matroska.
    static func cueText(ofEvent event: String) -> String {
        let fields = event.split(separator: ",", maxSplits: fieldCount, omittingEmptySubsequences: false)
        guard fields.count == fieldCount + 1, let text = fields.last else { return "" }
        return cueText(text)
    }

    /// Converts the text of an event.
    static func cueText(_ text: Substring) -> String {
        var writer = Writer()
        var rest = text
        while let character = rest.popFirst() {
            switch character {
            case "{":
                guard let end = rest.firstIndex(of: "}") else { return writer.finished() }
                writer.apply(rest[..<end])
                rest = rest[rest.index(after: end)...]
            case "\\":
                switch rest.first {
                case "N": writer.breakLine()
                // `\n` is a line break that the player may ignore, `\h` a non-breaking space.
                case "n", "h": writer.append(" ")
                default:
                    writer.append("\\")
                    continue
                }
                rest = rest.dropFirst()
            case "\n", "\r", "\r\n": writer.breakLine()
            default: writer.append(character)
            }
        }
        return writer.finished()
    }

    /// Writes cue text with properly nested tags and without empty lines.
    private struct Writer {
        private var lines: [String] = []
        private var line = ""
        private var wanted: Set<Character> = []
        /// The open tags in the order in which they were opened.
        private var open: [Character] = []
        private var isDrawing = false

        /// Applies an override block.
        ///
        /// - Parameter block: The text between braces; anything but overrides is a comment.
        mutating func apply(_ block: Substring) {
            for tag in block.split(separator: "\\").map(\.self) {
                let name = tag.prefix { !$0.isNumber && $0 != "(" && $0 != "-" }.trimmed
                let digits = tag.drop { !$0.isNumber }.prefix { $0.isNumber }
                switch name {
                case "i", "b", "u":
                    guard let letter = name.first else { continue }
                    // Values above 1 are font weights; 400 is the normal one.
                    let value = Int(digits) ?? 0
                    if value == 1 || value > 400 { wanted.insert(letter) } else { wanted.remove(letter) }
                case "p": isDrawing = (Int(digits) ?? 0) > 0
                case let reset where reset.first == "r" && reset != "rnd": wanted = []
                default: continue
                }
            }
        }

        mutating func append(_ character: Character) {
            guard !isDrawing else { return }
            if character.isWhitespace, line.isEmpty { return }
            if wanted != Set(open) {
                closeAll()
                open = wanted.sorted()
                for letter in open { line += "<\(letter)>" }
            }
            switch character {
            case "&": line += "&amp;"
            case "<": line += "&lt;"
            case ">": line += "&gt;"
            default: line.append(character)
            }
        }

        mutating func breakLine() {
            closeAll()
            while line.last?.isWhitespace == true { line.removeLast() }
            if !line.isEmpty { lines.append(line) }
            line = ""
        }

        mutating func finished() -> String {
            breakLine()
            return lines.joined(separator: "\n")
        }

        private mutating func closeAll() {
            for letter in open.reversed() { line += "</\(letter)>" }
            open = []
        }
    }
}
