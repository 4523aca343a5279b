"use client";
import { useEffect } from "react";
import { tried } from "../parts.js";

export default function Client() {
  useEffect(() => void tried().then((results) => (document.body.dataset.result = JSON.stringify(results))), []);
  return <p>client</p>;
}
