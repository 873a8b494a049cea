import APIContract
import HTTPEndpoints
import HTTPTypes
import LibraryCore
import Testing
import Workflows

struct LibraryErrorTests {
    /// Handlers do not have to translate them.
    @Test func aRefusalOfTheLibraryIsNoFaultOfTheServer() throws {
        let error: any Error = LibraryError(.readOnly, "the folder is read-only")
        let problem = try #require(error as? any ReportedError).problem
        #expect(problem.status == .forbidden && problem.type == .readOnly)
        let full: any Error = LibraryError(.storage, "the disk is full")
        #expect(try #require(full as? any ReportedError).problem.status.code == 507)
    }
}
