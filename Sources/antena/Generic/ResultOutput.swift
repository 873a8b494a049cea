import APIClient
import APIContract
import ArgumentParser
import JSONDocument

/// How a command says what it has done: a line of text, or of JSON, for each thing.
struct ResultOutput: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false

    /// Prints what the server has answered.
    func print(_ answer: some APIValue, _ line: @autoclosure () -> String) {
        Swift.print(json ? answer.json.rendered : line())
    }

    /// Prints what has become of something of which the server says no more.
    ///
    /// - Parameters:
    ///   - id: its ID or name.
    ///   - result: such as "removed".
    func print(_ id: String, _ result: String) {
        Swift.print(
            json
                ? JSONText.object([("id", .string(id)), ("result", .string(result))]).rendered : "\(id): \(result)")
    }

    /// Prints a value.
    ///
    /// - Parameters:
    ///   - name: the name of its field.
    ///   - value: the value, which is all of the text.
    func print(field name: String, _ value: String) {
        Swift.print(json ? JSONText.object([(name, .string(value))]).rendered : value)
    }
}
