import HTTPTypes
import NIOCore

extension MediaAnswer {
    /// The same answer for one viewer only: no shared cache keeps it.
    var forOneViewer: MediaAnswer {
        switch self {
        case .response(let response): .response(response.forOneViewer)
        case .held(let response, let holding): .held(response.forOneViewer, holding)
        case .pending(let answer, let cancel): .pending(answer.map(\.forOneViewer), cancel: cancel)
        case .file(let transfer): .file(transfer.forOneViewer)
        }
    }
}

extension MediaResponse {
    fileprivate var forOneViewer: MediaResponse {
        var response = self
        response.head.headerFields = head.headerFields.forOneViewer
        response.encoded = nil
        return response
    }
}

extension FileTransfer {
    fileprivate var forOneViewer: FileTransfer {
        var transfer = self
        transfer.head.headerFields = head.headerFields.forOneViewer
        return transfer
    }
}

extension HTTPFields {
    /// With what keeps shared caches from storing the response (RFC 9111 §5.2.2.7).
    fileprivate var forOneViewer: HTTPFields {
        var fields = self
        let directives = (fields[.cacheControl] ?? "").split(separator: ",")
            .map { $0.filter { $0 != " " } }.filter { $0 != "public" && !$0.hasPrefix("s-maxage") }
        fields[.cacheControl] = (["private"] + directives.map { String($0) }).joined(separator: ", ")
        return fields
    }
}
