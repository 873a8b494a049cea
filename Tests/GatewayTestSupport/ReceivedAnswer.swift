package import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// One response as it left the pipeline.
package struct ReceivedAnswer {
    package var head: HTTPResponse
    package var body = ByteBuffer()
    package var isComplete = false

    package init(head: HTTPResponse) {
        self.head = head
    }

    package var status: Int { head.status.code }
    package var text: String { String(buffer: body) }

    /// Assembles responses from their parts.
    package static func answers(_ parts: [HTTPResponsePart]) -> [ReceivedAnswer] {
        parts.reduce(into: []) { answers, part in
            switch part {
            case .head(let head): answers.append(ReceivedAnswer(head: head))
            case .body(let bytes): answers[answers.count - 1].body.writeImmutableBuffer(bytes)
            case .end: answers[answers.count - 1].isComplete = true
            }
        }
    }
}
