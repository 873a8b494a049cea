package import APIContract
import JSONDocument

extension APIObject {
    /// The object that a text is, whatever it lacks.
    package init(parsing text: some Collection<UInt8>) throws {
        guard let object = APIObject(json: JSONText(try JSONParser.parse(text))) else { throw NotAnObject() }
        self = object
    }

    private struct NotAnObject: Error {}
}
