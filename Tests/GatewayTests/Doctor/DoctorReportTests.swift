import JSONDocument
import Testing

@testable import Doctor
@testable import Gateway

struct DoctorReportTests {
    private struct Fake: DoctorCheck {
        let name: String
        let finding: DoctorFinding
    }

    private static let clock = Fake(name: "clock", finding: .ok("is right"))
    private static let files = Fake(name: "open files", finding: .warning("few\nindeed", remedy: "allow more"))
    private static let ports = Fake(name: "http port", finding: .problem("is taken", remedy: "take another"))

    @Test func alignsFindingsAndRemedies() {
        let report = DoctorReport([Self.clock, Self.files, Self.ports])
        #expect(
            report.text == """
                ok       clock       is right
                warning  open files  few; indeed
                                     allow more
                problem  http port   is taken
                                     take another
                1 problem, 1 warning
                """)
        #expect(report.hasProblems)
    }

    @Test func warningsAreNoProblems() {
        #expect(!DoctorReport([Self.clock, Self.files]).hasProblems)
        #expect(DoctorReport([Self.clock, Self.files]).text.hasSuffix("\n0 problems, 1 warning"))
        #expect(DoctorReport([Self.clock]).text == "ok       clock  is right\nno problems found")
    }

    @Test func isAnArrayInJSON() {
        #expect(
            DoctorReport([Self.clock, Self.ports]).json
                == #"[{"check":"clock","result":"ok","finding":"is right","remedy":null},"#
                + #"{"check":"http port","result":"problem","finding":"is taken","remedy":"take another"}]"#)
    }
}
