/// The name, version and author that this program reports.
package enum Product {
    package static let name = "Antena"
    package static let version = "0.1.0"
    package static let author = "The Antena founders"
}
