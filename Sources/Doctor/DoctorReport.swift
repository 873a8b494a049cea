import JSONDocument

/// The output of `antena doctor`: the findings of all checks.
package struct DoctorReport: Sendable, Hashable {
    /// A check by its name, with its finding.
    package struct Entry: Sendable, Hashable {
        /// The name of the check, such as "open files".
        package let check: String
        /// The finding of the check.
        package let finding: DoctorFinding
    }

    /// The findings, in the order in which they are shown.
    package let entries: [Entry]

    init(_ checks: [any DoctorCheck]) {
        entries = checks.map { Entry(check: $0.name, finding: $0.finding) }
    }

    /// Whether a server does not start, or fails at something that it is configured to do.
    package var hasProblems: Bool { count(.problem) > 0 }

    private func count(_ result: DoctorFinding.Result) -> Int { entries.count { $0.finding.result == result } }

    // MARK: Output

    private static let resultWidth = 9
    private static let columnGap = 2

    /// Two lines for each check that has a remedy, one for the others, and a line with the sum.
    package var text: String {
        let nameWidth = (entries.map(\.check.count).max() ?? 0) + Self.columnGap
        let indentation = String(repeating: " ", count: Self.resultWidth + nameWidth)
        let lines = entries.flatMap { entry in
            let head =
                Self.padded(entry.finding.result.rawValue, Self.resultWidth) + Self.padded(entry.check, nameWidth)
            return [head + entry.finding.text] + (entry.finding.remedy.map { [indentation + $0] } ?? [])
        }
        return (lines + [sum]).joined(separator: "\n")
    }

    private var sum: String {
        let (problems, warnings) = (count(.problem), count(.warning))
        guard problems + warnings > 0 else { return "no problems found" }
        return "\(Self.counted(problems, "problem")), \(Self.counted(warnings, "warning"))"
    }

    /// An array of objects with the fields `check`, `result`, `finding` and `remedy`.
    package var json: String {
        JSONText.array(
            entries.map { entry in
                .object([
                    ("check", .string(entry.check)), ("result", .string(entry.finding.result.rawValue)),
                    ("finding", .string(entry.finding.text)), ("remedy", .optional(entry.finding.remedy)),
                ])
            }
        ).rendered
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
