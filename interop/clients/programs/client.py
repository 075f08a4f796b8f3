"""Sends the requests of the tests with requests and prints the answers: client.py <url> kept|chunked"""
import sys

import requests

base, way = sys.argv[1:]
session = requests.Session()
if way == "chunked":
    print(session.post(f"{base}/chunked", data=iter([b"hel", b"lo"])).text)
else:
    print(session.get(f"{base}/1?q=a%20b").text)
    print(session.post(f"{base}/2", data="hello").text)
    print(session.put(f"{base}/3", data=b"x" * 100000).text)
    print(session.delete(f"{base}/4").text)
    print(session.post(f"{base}/5", data={"a": "1", "b": "2 + 3"}).text)
