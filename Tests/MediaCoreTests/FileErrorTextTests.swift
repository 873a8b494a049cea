import Foundation
import Testing

@testable import MediaCore

struct FileErrorTextTests {
    private struct Own: Error, CustomStringConvertible { let description = "our own words" }

    @Test func foundationsErrorsAreTheSystemsWords() throws {
        let path = "/proc/nothing/here"
        let error = #expect(throws: (any Error).self) { try Data([1]).write(to: URL(filePath: path)) }
        let text = "\(FileErrorText(try #require(error)))"
        #expect(text == "No such file or directory")
        let folder = #expect(throws: (any Error).self) {
            try FileManager.default.createDirectory(atPath: "/proc/nothing", withIntermediateDirectories: false)
        }
        #expect(!"\(FileErrorText(try #require(folder)))".contains("Cocoa"))
    }

    @Test func aFullDiskIsSaidPlainly() {
        #expect("\(FileErrorText(CocoaError(.fileWriteOutOfSpace)))" == "the disk is full")
        #expect("\(FileErrorText(POSIXError(.ENOSPC)))" == "the disk is full")
        let wrapped = CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOSPC)])
        #expect("\(FileErrorText(wrapped))" == "the disk is full")
    }

    @Test func otherErrorsDescribeThemselves() { #expect("\(FileErrorText(Own()))" == "our own words") }
}
